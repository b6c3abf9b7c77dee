/** What a member can send by hand, and where to, if the role keeps no connections. */
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { addChannel, repeatDelivery, testChannel } from '@/lib/portal/delivery/change'
import { listChannels } from '@/lib/portal/delivery/view'
import { parseHookUrl } from '@/lib/portal/upstream/address'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, everyTopic, minute, startClock, tell } from './scene'

test('a test is not sent again, and a member sends 20 tests and repeats an hour, whichever channels they are for', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [actor, other, clock] = [await team.join('owner'), await team.join('admin'), startClock()]
  const ids = [
    await add(actor, { kind: 'webhook', url: `${receiver.origin}/a` }),
    await add(actor, { kind: 'slack', url: `${receiver.origin}/b` }),
  ]
  await tell(actor, clock, 'One')
  await clock.pass(2 * minute)
  const channelOf = (turn: number) => ids[turn % 2]?.channelId ?? ''
  const deliveryId = (await db().delivery.findFirstOrThrow({ where: { kind: 'events' } })).id
  expect(await testChannel(inputOf(actor, { channelId: channelOf(0) }))).toMatchObject({ ok: true })
  const tested = (await db().delivery.findFirstOrThrow({ where: { kind: 'test' } })).id
  expect(await repeatDelivery(inputOf(actor, { deliveryId: tested }))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  for (let turn = 1; turn < 19; turn += 1)
    expect(await testChannel(inputOf(actor, { channelId: channelOf(turn) }))).toMatchObject({ ok: true, data: { ok: true } })
  expect(await repeatDelivery(inputOf(actor, { deliveryId }))).toMatchObject({ ok: true, data: { ok: true } })
  receiver.received.length = 0
  expect(await repeatDelivery(inputOf(actor, { deliveryId }))).toMatchObject({ ok: false, problem: { code: 'too_many' } })
  for (const turn of [0, 1])
    expect(await testChannel(inputOf(actor, { channelId: channelOf(turn) }))).toMatchObject({ ok: false, problem: { code: 'too_many' } })
  expect(receiver.received).toEqual([])
  const { channelId } = await add(other, { kind: 'webhook', url: `${receiver.origin}/c` })
  expect(await testChannel(inputOf(other, { channelId }))).toMatchObject({ ok: true, data: { ok: true } })
})

test('security: who may keep no connections sends to no private address, though the settings permit it', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  for (const role of ['viewer', 'guest'] as const) {
    const actor = await team.join(role)
    for (const url of [receiver.origin, 'https://127.0.0.1', 'https://localhost', 'https://[::1]']) {
      const added = await addChannel(inputOf(actor, { kind: 'webhook', url: `${url}/in`, label: 'x', topics: everyTopic, timeZone: 'UTC' }))
      expect(added).toMatchObject({ ok: false, problem: { fields: { url: expect.stringContaining('your role') } } })
    }
    await add(actor, { kind: 'webhook', url: 'https://hooks.example/in' })
  }
  const [actor, clock] = [await team.join('operator'), startClock()]
  const { channelId } = await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  await db().membership.updateMany({ where: { userId: actor.user.id }, data: { role: 'viewer' } })
  await tell(actor, clock, 'One')
  await clock.pass(2 * minute)
  const viewer = { ...actor, role: 'viewer' } as const
  expect((await listChannels(viewer))[0]?.deliveries).toMatchObject([
    { state: 'waiting', status: null, answer: expect.stringContaining('your role') },
  ])
  expect(await testChannel(inputOf(viewer, { channelId }))).toMatchObject({ data: { ok: false, status: null } })
  expect(receiver.received).toEqual([])
})

test('security: nor to a name of one, though it was given as any other', async () => {
  await using _ = await openPortalDatabase({ environment: { ALLOW_PRIVATE_UPSTREAMS: '0.0.0.0/0,::/0' } })
  const actor = await (await createTeam()).join('viewer')
  const { channelId } = await add(actor, { kind: 'webhook', url: `https://${hostname().toLowerCase()}:9/hook` })
  expect(await testChannel(inputOf(actor, { channelId }))).toMatchObject({
    data: { ok: false, status: null, answer: expect.stringContaining('your role') },
  })
  for (const url of ['https://10.0.0.1/hook', 'https://localhost/hook', 'http://93.184.216.34/hook'])
    expect(parseHookUrl(url, false), url).toMatchObject({ code: 'address_refused' })
})

/** Removes all channels once an entry of this action is written, as another member could at that moment. */
const removeAfterEntry = (action: string) =>
  db().$executeRawUnsafe(`CREATE TRIGGER gone AFTER INSERT ON AuditRow WHEN NEW.action = '${action}' BEGIN DELETE FROM Channel; END`)

test('a test over a channel that is removed meanwhile, before or after the message was sent, is refused or answered in words', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const actor = await (await createTeam()).join('owner')
  const first = await add(actor, { kind: 'webhook', url: `${receiver.origin}/a` })
  await removeAfterEntry('channel.test')
  expect(await testChannel(inputOf(actor, first))).toEqual({ ok: false, problem: problem('not_found') })
  expect(receiver.received).toHaveLength(0)
  await db().$executeRawUnsafe('DROP TRIGGER gone')
  const second = await add(actor, { kind: 'webhook', url: `${receiver.origin}/b` })
  await removeAfterEntry('channel.deliver')
  expect(await testChannel(inputOf(actor, second))).toMatchObject({ ok: true, data: { ok: true } })
  expect([receiver.received.length, await db().delivery.count()]).toEqual([1, 0])
})
