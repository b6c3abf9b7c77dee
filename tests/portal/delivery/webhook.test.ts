/** Webhooks of a member: signed, within the rules for outgoing calls, sent until they are accepted, and filtered by what the member sees. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { addChannel, removeChannel, repeatDelivery, testChannel, turnChannel } from '@/lib/portal/delivery/change'
import { deliver } from '@/lib/portal/delivery/deliver'
import { listChannels } from '@/lib/portal/delivery/view'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { type HookReceiver, startHookReceiver } from '@/tests/support/hook-receiver'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, everyTopic, hour, limitTo, minute, startClock, tell } from './scene'
import { createServer } from './servers'

type Event = { text: string; times: number; kind: string; url: string | null }
type Sent = { id: string; kind: string; team: string; events: Event[]; lines: string[] }

const bodiesOf = ({ received }: HookReceiver): Sent[] => received.map(({ body }) => JSON.parse(body))
const textsOf = (receiver: HookReceiver): string[] => bodiesOf(receiver).flatMap(({ events }) => events.map(({ text }) => text))

test('a webhook is signed over time and body, says what the bell says, and carries an id', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam('Lantern works')
  const [actor, clock] = [await team.join('owner'), startClock()]
  const { secret } = await add(actor, { kind: 'webhook', url: `${receiver.origin}/in/the-secret-path?key=the-secret-key` })
  await tell(actor, clock, 'One')
  await clock.pass(2 * minute)
  const [got] = receiver.received
  expect(got?.path).toBe('/in/the-secret-path?key=the-secret-key')
  const [{ id, team: name, events } = { id: '', team: '', events: [] }] = bodiesOf(receiver)
  expect(name).toBe('Lantern works')
  expect(events).toMatchObject([{ kind: 'key_frozen', text: 'Robin froze the connection “One”.', times: 1 }])
  const { 'gatehouse-time': time, 'gatehouse-signature': signature, 'gatehouse-delivery': delivery } = got?.headers ?? {}
  expect(delivery).toBe(id)
  expect(signature).toBe(`v1=${createHmac('sha256', secret).update(`${time}.${got?.body}`).digest('hex')}`)
  expect(Math.abs(Number(time) * 1000 - Date.now())).toBeLessThan(minute)
})

test('a receiver that is down for 24 hours gets everything once it is back, and nothing twice', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [actor, clock] = [await team.join('owner'), startClock()]
  await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  await receiver.down()
  const names = Array.from({ length: 48 }, (_each, index) => `Number ${index}`)
  for (const name of names) {
    await tell(actor, clock, name)
    await clock.pass(30 * minute, 5 * minute)
  }
  expect(receiver.received).toHaveLength(0)
  expect((await listChannels(actor))[0]).toMatchObject({ off: null })
  await receiver.up()
  await clock.pass(4 * hour, 5 * minute)
  const told = textsOf(receiver)
  expect(told.toSorted()).toEqual(names.map((name) => `Robin froze the connection “${name}”.`).toSorted())
  // The one that was tried all the time, and what happened meanwhile, together.
  expect(receiver.received).toHaveLength(2)
  await tell(actor, clock, 'Afterwards')
  await clock.pass(2 * minute)
  expect(receiver.received).toHaveLength(3)
})

test('after 20 failures in a row the channel is off, which the bell says; turned on again, it sends what it missed', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [actor, clock] = [await team.join('owner'), startClock()]
  const { channelId } = await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  receiver.answer(503, 'later, please')
  await tell(actor, clock, 'One')
  await clock.pass(30 * hour, 10 * minute)
  expect(receiver.received).toHaveLength(20)
  const [channel] = await listChannels(actor)
  expect(channel).toMatchObject({ off: 'gatehouse', deliveries: [{ state: 'failed', attempts: 20, status: 503, answer: 'later, please' }] })
  expect((await listNotifications(actor)).items[0]?.text).toMatch(/^Gatehouse turned off the channel “Pager”/)
  await tell(actor, clock, 'Two')
  await clock.pass(hour, 10 * minute)
  expect(receiver.received).toHaveLength(20)
  receiver.answer(204, '')
  expect(await turnChannel(inputOf(actor, { channelId, on: 'yes' }))).toMatchObject({ ok: true })
  await clock.pass(hour, 10 * minute)
  const accepted = bodiesOf(receiver).slice(20)
  expect(accepted.flatMap(({ events }) => events.map(({ text }) => text))).toEqual([
    'Robin froze the connection “One”.',
    expect.stringMatching(/^Gatehouse turned off the channel/),
    'Robin froze the connection “Two”.',
  ])
  // The message that failed keeps its id, by which a receiver knows it.
  expect(
    new Set(
      bodiesOf(receiver)
        .slice(0, 21)
        .map(({ id }) => id),
    ).size,
  ).toBe(1)
})

test('a flapping server makes at most two messages an hour and four in six hours, and each says how it ended', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [actor, clock] = [await team.join('owner'), startClock()]
  const serverId = await createServer(team.id, 'web-1')
  await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  const times: number[] = []
  for (let turn = 0; turn < 6 * 6; turn += 1) {
    for (const kind of ['server_unreachable', 'server_reachable'] as const) {
      await tell(actor, clock, '', { kind, serverId, detail: { name: 'web-1' } })
      const before = receiver.received.length
      await clock.pass(5 * minute)
      times.push(...receiver.received.slice(before).map(() => clock.now().getTime()))
    }
  }
  expect(times.filter((at) => at - (times[0] ?? 0) < hour)).toHaveLength(2)
  expect(times.length).toBe(4)
  const reach = bodiesOf(receiver).map(({ events }) => events)
  expect(reach.every((events) => events.length === 1)).toBe(true)
  expect(reach.slice(0, 2)).toMatchObject([[{ kind: 'server_unreachable', times: 1 }], [{ kind: 'server_reachable', times: 1 }]])
  await clock.pass(7 * hour, 5 * minute)
  const last = bodiesOf(receiver).at(-1)?.events[0]
  expect(last).toMatchObject({ kind: 'server_reachable', text: 'web-1 is reachable again.' })
  const told = bodiesOf(receiver).reduce((sum, { events }) => sum + (events[0]?.times ?? 0), 0)
  expect(told).toBe(6 * 6 * 2)
})

test('what is out of the member’s sight is not sent, also in a message that waits', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [actor, clock] = [await team.join('operator'), startClock()]
  const [seen, hidden] = [await createServer(team.id, 'web-seen'), await createServer(team.id, 'web-hidden')]
  await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  receiver.answer(500, 'no')
  for (const [serverId, name] of [
    [seen, 'web-seen'],
    [hidden, 'web-hidden'],
  ] as const)
    await tell(actor, clock, '', { kind: 'disk_full_soon', serverId, detail: { name } })
  await clock.pass(2 * minute)
  expect(receiver.received[0]?.body).toContain('web-hidden')
  await limitTo(actor, seen)
  receiver.received.length = 0
  receiver.answer(200)
  await clock.pass(2 * hour)
  expect(receiver.received).toHaveLength(1)
  expect(receiver.received[0]?.body).toContain('web-seen')
  expect(receiver.received[0]?.body).not.toContain('web-hidden')
  expect((await listChannels(actor))[0]?.deliveries[0]?.texts.join()).not.toContain('web-hidden')
  await tell(actor, clock, '', { kind: 'disk_full_soon', serverId: hidden, detail: { name: 'web-hidden' } })
  await clock.pass(2 * minute)
  expect(receiver.received).toHaveLength(1)
  expect((await listChannels(actor))[0]?.deliveries[0]).toMatchObject({ state: 'dropped', texts: [] })
})

test('the test says what was answered, without the secrets that the receiver repeats; redirects are not followed', async () => {
  await using portal = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  await using elsewhere = await startHookReceiver()
  const team = await createTeam()
  const actor = await team.join('operator')
  const { channelId } = await add(actor, { kind: 'webhook', url: `${receiver.origin}/in/the-secret-path?key=the-secret-key` })
  receiver.answer(
    400,
    ({ path, headers }) => `\n  no such thing: ${path} ${headers['gatehouse-signature'] ? 'signed' : 'unsigned'}\nsecond line`,
  )
  const tried = await testChannel(inputOf(actor, { channelId }))
  expect(tried).toMatchObject({ ok: true, data: { ok: false, status: 400 } })
  expect(JSON.stringify(tried)).toContain('no such thing')
  expect(JSON.stringify(tried)).toContain('signed')
  expect(JSON.stringify([tried, await listChannels(actor), await portal.db.auditRow.findMany()])).not.toMatch(/the-secret|second line/)
  receiver.answer(302, '', `${elsewhere.origin}/`)
  expect(await testChannel(inputOf(actor, { channelId }))).toMatchObject({
    data: { ok: false, status: 302, answer: expect.stringContaining('redirects') },
  })
  expect(elsewhere.received).toHaveLength(0)
  await receiver.down()
  expect(await testChannel(inputOf(actor, { channelId }))).toMatchObject({ data: { ok: false, status: null } })
  // Tests count for nothing: the channel stays on, and none is tried again.
  await deliver(new Date(Date.now() + hour))
  expect((await listChannels(actor))[0]).toMatchObject({ failures: 0, off: null, deliveries: [{ state: 'failed', attempts: 1 }, {}, {}] })
})

test('a message can be sent again, under its id; another member’s channel and messages are not there', async () => {
  await using portal = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const [actor, other, clock] = [await team.join('operator'), await team.join('owner'), startClock()]
  const { channelId } = await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  await tell(actor, clock, 'One')
  await clock.pass(2 * minute)
  const deliveryId = (await listChannels(actor))[0]?.deliveries[0]?.id ?? ''
  expect(await repeatDelivery(inputOf(actor, { deliveryId }))).toMatchObject({
    ok: true,
    data: { ok: true, status: 200, answer: 'Accepted.' },
  })
  expect(bodiesOf(receiver).map(({ id }) => id)).toEqual([deliveryId, deliveryId])
  expect(await listChannels(other)).toEqual([])
  for (const act of [testChannel, removeChannel, turnChannel])
    expect(await act(inputOf(other, { channelId, on: 'no' }))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await repeatDelivery(inputOf(other, { deliveryId }))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(receiver.received).toHaveLength(2)
  const entries = await portal.db.auditRow.findMany({ where: { action: { startsWith: 'channel.' } }, orderBy: { seq: 'asc' } })
  expect(entries.map(({ action, stage, outcome }) => `${action} ${stage} ${outcome}`)).toEqual([
    'channel.add intent asked',
    'channel.add outcome done',
    'channel.deliver event done',
    'channel.repeat intent asked',
    'channel.deliver event done',
    'channel.repeat outcome done',
  ])
  expect(await removeChannel(inputOf(actor, { channelId }))).toMatchObject({ ok: true })
  expect(await portal.db.delivery.count()).toBe(0)
})

test.each([
  ['http://169.254.169.254/latest'],
  ['https://10.0.0.1/hook'],
  ['https://user:pass@example.org/'],
  ['ftp://example.org/hook'],
  ['https://example.org/hook#part'],
])('security: %s is refused as a webhook', async (url) => {
  await using _ = await openPortalDatabase({ environment: { ALLOW_PRIVATE_UPSTREAMS: '', UPSTREAM_URL: 'http://169.254.169.254/' } })
  const actor = await (await createTeam()).join('owner')
  const added = await addChannel(inputOf(actor, { kind: 'webhook', url, label: 'x', topics: everyTopic, timeZone: 'UTC' }))
  expect(added).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { url: expect.any(String) } } })
})
