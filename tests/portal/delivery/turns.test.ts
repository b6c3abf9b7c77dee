/** What holds at a channel's turn, not when its round began; and a message that its receiver never takes. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { repeatDelivery, takeOverChannel } from '@/lib/portal/delivery/change'
import { attempt, deliver } from '@/lib/portal/delivery/deliver'
import { type Message, toNtfy } from '@/lib/portal/delivery/formats'
import { listChannels } from '@/lib/portal/delivery/view'
import { startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, minute, startClock, tell } from './scene'

test('a channel that is turned off during a round gets nothing more in it', async () => {
  await using portal = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  for (let made = 0; made < 6; made += 1) await add(actor, { kind: 'webhook', url: `${receiver.origin}/${made}` })
  await portal.db.$executeRawUnsafe(
    `CREATE TRIGGER off AFTER UPDATE ON Delivery WHEN new.attempts = 1 BEGIN UPDATE Channel SET offAt = createdAt; END`,
  )
  await tell(actor, clock, 'One')
  await clock.pass(2 * minute)
  expect(receiver.received).toHaveLength(1)
})

test('a channel that was taken over meanwhile sends nothing by the right of whoever had it', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [owner, admin, clock] = [await team.join('owner'), await team.join('admin'), startClock()]
  const { channelId } = await add(owner, { keeper: 'team', kind: 'webhook', url: `${receiver.origin}/team` })
  receiver.answer(500)
  await tell(owner, clock, 'One')
  await clock.pass(2 * minute)
  const [channel, delivery] = [await db().channel.findUniqueOrThrow({ where: { id: channelId } }), await db().delivery.findFirstOrThrow()]
  expect(await takeOverChannel(inputOf(admin, { channelId }))).toMatchObject({ ok: true })
  receiver.received.length = 0
  expect(await attempt(channel, delivery, clock.now())).toBeNull()
  expect(receiver.received).toEqual([])
  expect(await db().delivery.findFirstOrThrow()).toMatchObject({ state: 'waiting', attempts: delivery.attempts })
})

test('the signature has the time of the attempt, also of a round that began long before', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  await tell(actor, clock, 'One')
  await deliver(new Date(clock.now().getTime() + 30 * minute))
  expect(Math.abs(Number(receiver.received[0]?.headers['gatehouse-time']) * 1000 - Date.now())).toBeLessThan(minute)
})

test.each([400, 413, 415, 422])(
  'a message that is answered with %i five times has failed, and later ones are still sent',
  async (status) => {
    await using _ = await openPortalDatabase()
    await using receiver = await startHookReceiver()
    const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
    await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
    receiver.answer(status, 'no')
    await tell(actor, clock, 'Bad')
    await clock.pass(30 * minute)
    expect(receiver.received).toHaveLength(5)
    const [failed] = (await listChannels(actor))[0]?.deliveries ?? []
    expect(failed).toMatchObject({ state: 'failed', attempts: 5, status, endedAt: expect.any(String), dueAt: null })
    receiver.answer(200)
    await tell(actor, clock, 'Good')
    await clock.pass(2 * minute)
    expect(receiver.received).toHaveLength(6)
    expect(receiver.received[5]?.body).toContain('Good')
    expect((await listChannels(actor))[0]).toMatchObject({ failures: 0, off: null })
    expect(await repeatDelivery(inputOf(actor, { deliveryId: failed?.id ?? '' }))).toMatchObject({ ok: true, data: { ok: true } })
    expect(receiver.received[6]?.body).toContain('Bad')
  },
)

test('what goes to ntfy is cut at whole lines, because it takes no long message', () => {
  const texts = Array.from({ length: 50 }, (_each, index) => `Robin froze the connection “${index} ${'ü'.repeat(70)}”.`)
  const message = (events: readonly string[]): Message => ({
    id: 'x',
    kind: 'events',
    team: 'Lantern works',
    at: new Date(),
    publicUrl: new URL('https://gatehouse.example/'),
    events: events.map((text) => ({ kind: 'key_frozen', subjectId: null, text, href: null, at: '', times: 1 })),
    lines: [],
  })
  const sent = (events: readonly string[]): string => {
    const { body } = toNtfy(message(events), 'topic', undefined)
    expect(Buffer.byteLength(body)).toBeLessThan(3_900)
    return JSON.parse(body).message
  }
  const lines = sent(texts).split('\n')
  expect(lines.length).toBeGreaterThan(15)
  expect(lines.slice(0, -1)).toEqual(texts.slice(0, lines.length - 1))
  expect(lines.at(-1)).toBe(`and ${50 - (lines.length - 1)} more`)
  expect(sent(texts.slice(0, 3))).toBe(texts.slice(0, 3).join('\n'))
  expect(sent(['ü'.repeat(5_000), 'One'])).toMatch(/^ü{500}…\nand 1 more$/)
})
