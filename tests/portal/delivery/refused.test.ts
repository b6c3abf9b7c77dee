/** The audit log says what a receiver refused, also if the process ended between the refusal and the entry. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { testChannel } from '@/lib/portal/delivery/change'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, entriesOf, hour, minute, startClock, tell, withoutEntry } from './scene'

const action = 'channel.deliver'

async function openRefusing(status: number) {
  const database = await openPortalDatabase()
  const receiver = await startHookReceiver()
  receiver.answer(status, 'No')
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  const { channelId } = await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  await tell(actor, clock, 'Harbour')
  const passUntil = async (sent: number) => {
    while (receiver.received.length < sent) await clock.pass(minute)
  }
  const end = async () => {
    await receiver[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  }
  return { actor, clock, channelId, receiver, passUntil, [Symbol.asyncDispose]: end }
}

const stateOf = async () => (await db().delivery.findFirstOrThrow({ where: { kind: 'events' } })).state

test('the first refusal of a message and the one that ends it are each recorded by the next attempt', async () => {
  await using scene = await openRefusing(400)
  await withoutEntry(action, () => scene.passUntil(1))
  expect(await entriesOf(action)).toBe(0)
  await scene.passUntil(2)
  expect(await entriesOf(action)).toBe(1)
  await scene.passUntil(4)
  expect(await entriesOf(action)).toBe(1)
  await withoutEntry(action, () => scene.passUntil(5))
  expect([await entriesOf(action), await stateOf()]).toEqual([1, 'waiting'])
  await scene.passUntil(6)
  expect([await entriesOf(action), await stateOf()]).toEqual([2, 'failed'])
})

test('so is the refusal that turns the channel off, and its member is notified', async () => {
  await using scene = await openRefusing(500)
  const offs = () => db().notification.count({ where: { kind: 'channel_off' } })
  await scene.passUntil(1)
  await db().channel.updateMany({ data: { failures: 19 } })
  await withoutEntry(action, () => scene.passUntil(2))
  expect([await entriesOf(action), await db().channel.count({ where: { offAt: null } }), await offs()]).toEqual([1, 1, 0])
  await scene.clock.pass(3 * hour)
  expect([await entriesOf(action), await db().channel.count({ where: { offAt: null } }), await offs()]).toEqual([2, 0, 1])
  expect(await stateOf()).toBe('failed')
})

test('a test that was refused is recorded before it counts as ended', async () => {
  await using scene = await openRefusing(500)
  await withoutEntry(action, () => testChannel(inputOf(scene.actor, { channelId: scene.channelId })))
  expect(await db().delivery.findMany({ select: { kind: true, state: true } })).toEqual([{ kind: 'test', state: 'waiting' }])
  await scene.passUntil(2)
  expect(await db().delivery.findMany({ where: { kind: 'test' }, select: { state: true } })).toEqual([{ state: 'failed' }])
  expect(await entriesOf(action)).toBe(1)
})
