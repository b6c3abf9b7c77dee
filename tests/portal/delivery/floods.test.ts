/** Many events are few messages, whichever way they are sent, and none of them is lost. Quiet hours cost no reads for each event. */
import { expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { deliver } from '@/lib/portal/delivery/deliver'
import { raiseCertificateEndings, raiseLateBackups, raiseWaitingUpdates } from '@/lib/portal/views/home/raise-upkeep'
import { type HookReceiver, startHookReceiver } from '@/tests/support/hook-receiver'
import { startMailServer } from '@/tests/support/mail-server'
import { openPortalDatabase, sqliteOfPortal } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { add, hour, minute, startClock, tell } from './scene'
import { createServer } from './servers'

type Sent = { events: { text: string }[]; text: string; message: string; click: string }

const sentTo = ({ received }: HookReceiver, path: string): Sent[] =>
  received.filter((got) => got.path === path).map(({ body }) => JSON.parse(body))

const textsOf = (messages: readonly Sent[]): string[] => messages.flatMap(({ events }) => events.map(({ text }) => text))

test('200 certificates that end on one day, each at another minute, are one message: a program gets each, people a list with a link', async () => {
  await using mail = await startMailServer()
  await using _ = await openPortalDatabase({ environment: { SMTP_URL: mail.url, MAIL_FROM: 'gatehouse@example.org' } })
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const actor = await team.join('owner')
  const domains = Array.from({ length: 200 }, (_each, index) => `shop-${index}.example`)
  await createServer(team.id, 'web-1', domains)
  const day = 24 * hour
  const ends = Math.ceil(Date.now() / day) * day + 20 * day
  for (const [index, domain] of domains.entries())
    await db().site.updateMany({ where: { domain }, data: { ssl: 'on', expires: new Date(ends + index * 7 * minute).toISOString() } })
  const topics = { topics: 'certificates' }
  await add(actor, { ...topics, kind: 'webhook', url: `${receiver.origin}/webhook` })
  await add(actor, { ...topics, kind: 'slack', url: `${receiver.origin}/slack` })
  await add(actor, { ...topics, kind: 'ntfy', url: `${receiver.origin}/topic` })
  await add(actor, { ...topics, kind: 'mail' })
  for (let at = ends - 15 * day; at < ends - 12 * day; at += hour) {
    await raiseCertificateEndings(new Date(at))
    await deliver(new Date(at + 2 * minute))
  }
  const programs = sentTo(receiver, '/webhook')
  expect(programs).toHaveLength(1)
  const named = textsOf(programs).map((text) => /^The certificate of (\S+) ends on /.exec(text)?.[1])
  expect(named.toSorted()).toEqual(domains.toSorted())
  const chats = sentTo(receiver, '/slack')
  expect(chats).toHaveLength(1)
  expect(chats[0]?.text.match(/The certificate of /g)).toHaveLength(20)
  expect(chats[0]?.text).toMatch(/\nand 180 more: http\S+\/notifications$/)
  const [pushed, ...others] = sentTo(receiver, '/')
  expect(others).toEqual([])
  expect(pushed?.message).toMatch(/\nand \d+ more$/)
  expect(pushed?.click).toMatch(/\/notifications$/)
  expect(mail.received).toHaveLength(1)
  expect(mail.received[0]?.text).toContain('Subject: Gatehouse: 200 notifications')
  expect(mail.received[0]?.text.match(/The certificate of /g)).toHaveLength(20)
  expect(mail.received[0]?.text).toMatch(/and 180 more:\r?\nhttp\S+\/notifications/)
})

test('what there are many of hides nothing else in the message', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  await add(actor, { kind: 'slack', url: `${receiver.origin}/slack` })
  await add(actor, { kind: 'ntfy', url: `${receiver.origin}/topic` })
  for (let index = 0; index < 120; index += 1) await tell(actor, clock, `Number ${index}`)
  await tell(actor, clock, '', { kind: 'server_unreachable', detail: { name: 'web-1' } })
  await clock.pass(2 * minute)
  const [chat, pushed] = ['/slack', '/'].map((path) => sentTo(receiver, path)[0])
  expect(chat?.text).toContain('web-1 has been unreachable')
  expect(chat?.text).toContain('and 100 more:')
  expect(pushed?.message).toContain('web-1 has been unreachable')
})

test('60 servers whose updates began to wait within ten hours are five messages at most, which name each', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const actor = await team.join('owner')
  await add(actor, { topics: 'updates', kind: 'webhook', url: `${receiver.origin}/hook` })
  const start = Date.now() + hour
  const names = Array.from({ length: 60 }, (_each, index) => `web-${index}`)
  for (const [index, name] of names.entries()) {
    const since = new Date(start - 36 * hour + index * 10 * minute)
    await db().finding.create({
      data: { serverId: await createServer(team.id, name), kind: 'security_updates', since, detail: '2' },
    })
  }
  for (let at = start; at < start + 14 * hour; at += 10 * minute) {
    await raiseWaitingUpdates(new Date(at))
    await deliver(new Date(at + 2 * minute))
  }
  const sent = sentTo(receiver, '/hook')
  expect(sent.length).toBeLessThanOrEqual(5)
  expect(textsOf(sent).toSorted()).toEqual(
    names.map((name) => `2 security updates of ${name} have been waiting for more than a day.`).toSorted(),
  )
})

test('60 servers without a backup in one night are one message', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const team = await createTeam()
  const actor = await team.join('owner')
  await add(actor, { topics: 'backups', kind: 'webhook', url: `${receiver.origin}/hook` })
  const now = new Date(Date.now() + hour)
  for (let index = 0; index < 60; index += 1) {
    const serverId = await createServer(team.id, `web-${index}`)
    const at = new Date(now.getTime() - 40 * hour + index * minute)
    const job = { id: `backup ${index}`, teamId: team.id, operation: 'event.backup', serverId, targetName: 'x', lease: '' }
    await db().job.create({ data: { ...job, state: 'done', startedAt: at, heardAt: at, endedAt: at } })
    await db().sample.create({ data: { serverId, at: Math.floor(now.getTime() / minute) - 15, reachable: true } })
  }
  await raiseLateBackups(now)
  for (const later of [2, 3, 10, 300]) await deliver(new Date(now.getTime() + later * minute))
  expect(sentTo(receiver, '/hook').map(({ events }) => events.length)).toEqual([60])
})

test('what fails every minute for three hours is at most 12 messages an hour, and each failure is in one of them', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  await add(actor, { kind: 'webhook', url: `${receiver.origin}/hook` })
  const times: number[] = []
  for (let index = 0; index < 180; index += 1) {
    await tell(actor, clock, `Number ${index}`)
    const before = receiver.received.length
    await clock.pass(minute)
    times.push(...receiver.received.slice(before).map(() => clock.now().getTime()))
  }
  await clock.pass(20 * minute)
  for (const at of times) expect(times.filter((other) => other <= at && at - other < hour).length).toBeLessThanOrEqual(12)
  const texts = textsOf(sentTo(receiver, '/hook'))
  expect([texts.length, new Set(texts).size]).toEqual([180, 180])
})

test('a round in quiet hours reads the database as often for 200 events as for three, and everything is sent after them', async () => {
  await using _ = await openPortalDatabase()
  await using receiver = await startHookReceiver()
  const [actor, clock] = [await (await createTeam()).join('owner'), startClock()]
  const timeOf = (at: number) => new Date(at).toISOString().slice(11, 16)
  const start = clock.now().getTime()
  const quiet = { quietFrom: timeOf(start - hour), quietTo: timeOf(start + 3 * hour) }
  await add(actor, { ...quiet, kind: 'webhook', url: `${receiver.origin}/hook` })
  const readsOfARound = async (): Promise<number> => {
    await clock.pass(2 * minute)
    const read = vi.spyOn(sqliteOfPortal(), 'read')
    await clock.pass(minute)
    const { length } = read.mock.calls
    read.mockRestore()
    return length
  }
  for (let index = 0; index < 3; index += 1) await tell(actor, clock, `Number ${index}`)
  const few = await readsOfARound()
  for (let index = 3; index < 200; index += 1) await tell(actor, clock, `Number ${index}`)
  expect(await readsOfARound()).toBe(few)
  expect(few).toBeLessThanOrEqual(6)
  expect(receiver.received).toEqual([])
  await clock.pass(3 * hour, 10 * minute)
  expect(sentTo(receiver, '/hook').map(({ events }) => events.length)).toEqual([200])
})
