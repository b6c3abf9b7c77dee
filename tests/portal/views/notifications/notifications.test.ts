/** Notifications: whose they are, what they say, and that each event is announced once to those whom it concerns. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { pruneNotifications } from '@/lib/portal/entry/retention/notifications'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { notifyNewDevice, rememberDevice } from '@/lib/portal/identity/known-device'
import { notify } from '@/lib/portal/notifications/notify'
import { detailOfFailing } from '@/lib/portal/subjects/findings/failing-certificates'
import { storeFindings } from '@/lib/portal/subjects/findings/findings'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { applyMembershipEnds } from '@/lib/portal/subjects/team/membership-ends'
import { raise } from '@/lib/portal/views/home/raise'
import { listNotifications, markAllRead, markRead } from '@/lib/portal/views/notifications/list'
import { describeNotification, hrefOf } from '@/lib/portal/views/notifications/sentences'
import { resticFailure } from '@/lib/service/restic/failure'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam, type TestTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const textsOf = async (actor: Actor) => (await listNotifications(actor)).items.map(({ text }) => text)

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

const tell = (team: TestTeam, actor: Actor, onceKey: string) =>
  notify({ teamId: team.id, userIds: [actor.user.id], kind: 'key_frozen', onceKey, detail: { label: 'One', by: 'Robin' } })

test('each user sees and marks their own notifications only; an event is stored once', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [one, other] = [await team.join('viewer'), await team.join('owner')]
  for (const key of ['a', 'a', 'b']) await tell(team, one, key)
  expect(await listNotifications(one)).toMatchObject({
    unread: 2,
    items: [{ text: 'Robin froze the connection “One”.', unread: true }, {}],
  })
  expect(await listNotifications(other)).toEqual({ unread: 0, items: [] })
  const id = (await listNotifications(one)).items[0]?.id ?? ''
  expect(await markRead(inputOf(other, { notificationId: id }))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await markRead(inputOf(one, { notificationId: id }))).toEqual({ ok: true, data: {} })
  expect((await listNotifications(one)).unread).toBe(1)
  await markAllRead(inputOf(other, {}))
  expect((await listNotifications(one)).unread).toBe(1)
  await markAllRead(inputOf(one, {}))
  expect((await listNotifications(one)).unread).toBe(0)
})

test('old copies that could not be deleted lead to the backups of their server, and say the cause once', () => {
  expect(hrefOf('prune_failed', 'server', 'SERVER', {})).toBe('/servers/SERVER/backups')
  const { sentence } = resticFailure('missing_program').problem
  const text = describeNotification('prune_failed', { name: 'web-01', label: 'Storage', why: sentence })
  expect(text).toMatch(
    /^Old copies of web-01 in Storage could not be deleted: restic is not installed on the machine that runs the service\./,
  )
})

test('notifications are deleted after 90 days', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const actor = await team.join('owner')
  for (const key of ['old', 'new']) await tell(team, actor, key)
  await db().notification.updateMany({ where: { onceKey: 'old' }, data: { createdAt: minutesAgo(91 * 24 * 60) } })
  expect(await pruneNotifications()).toBe(1)
  expect((await listNotifications(actor)).items).toHaveLength(1)
})

test('a server unreachable for 5 minutes is announced once to those who see it, and once when it is back', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready' })
  const team = await createTeam()
  const [keeper, other] = [await team.join('operator'), await team.join('operator')]
  await team.connect(upstream, { ownerId: keeper.user.id })
  const serverId = (await listServers(keeper)).servers[0]?.id ?? ''
  const finding = await db().finding.create({ data: { serverId, kind: 'unreachable', since: minutesAgo(4), detail: 'No answer.' } })
  await raise()
  expect(await textsOf(keeper)).toEqual([])
  await db().finding.update({ where: { serverId_kind: { serverId, kind: 'unreachable' } }, data: { since: minutesAgo(6) } })
  for (const _again of [1, 2, 3]) await raise()
  expect(await textsOf(keeper)).toEqual(['alpha has been unreachable for 5 minutes.'])
  await db().finding.deleteMany({ where: { serverId: finding.serverId } })
  for (const _again of [1, 2]) await raise()
  expect((await textsOf(keeper)).sort()).toEqual(['alpha has been unreachable for 5 minutes.', 'alpha is reachable again.'])
  expect(await textsOf(other)).toEqual([])
})

test('a disk that will be full soon is announced once, also after older samples were thinned out', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  const at = (minutes: number) => Math.floor(Date.now() / 60_000) - minutes
  const sample = { serverId, reachable: true, diskUsed: 95, diskTotal: 100 }
  await db().sample.createMany({ data: [90, 60, 30, 1].map((minutes) => ({ ...sample, at: at(minutes) })) })
  await raise()
  await db().sample.deleteMany({ where: { at: at(90) } })
  await raise()
  expect(await textsOf(actor)).toEqual(['The disk of alpha is nearly full.'])
})

test('each certificate that cannot be renewed is announced once, also one that joins others', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  const kind = 'failing_certificates'
  await db().finding.create({ data: { serverId, kind, since: minutesAgo(1), detail: 'b.example' } })
  for (const detail of ['b.example', 'a.example, b.example, xn--mnchen-3ya.example']) {
    await db().finding.update({ where: { serverId_kind: { serverId, kind } }, data: { detail } })
    for (const _again of [1, 2]) await raise()
  }
  expect((await textsOf(actor)).sort()).toEqual([
    'The certificate of b.example could not be renewed.',
    'The certificates of a.example, münchen.example could not be renewed.',
  ])
})

test('a hundred failing certificates of a server are announced with their number, and one that joins them is announced too', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  await listServers(actor)
  const server = { id: (await db().server.findFirstOrThrow()).id, teamId: team.id }
  const domains = Array.from({ length: 100 }, (_each, index) => `site-with-a-long-name-${100 + index}.example`)
  for (const failing of [domains, [...domains, 'zulu.example']]) {
    await storeFindings(server, { failing_certificates: detailOfFailing(failing) }, { seenAt: async () => null, code: null })
    await raise()
  }
  const first = domains.slice(0, 3).join(', ')
  expect((await textsOf(actor)).sort()).toEqual([
    'The certificate of zulu.example could not be renewed.',
    `The certificates of ${first} and 97 others could not be renewed.`,
  ])
})

test('a membership that ends within 7 days is announced once to the member and to those who manage the team', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  const [operator, viewer] = [await team.join('operator'), await team.join('viewer')]
  const endsAt = new Date(Date.now() + 6 * 24 * 3_600_000)
  await db().membership.updateMany({ where: { userId: operator.user.id }, data: { endsAt } })
  await db().membership.updateMany({ where: { userId: viewer.user.id }, data: { endsAt: new Date(Date.now() + 8 * 24 * 3_600_000) } })
  for (const _again of [1, 2]) await Promise.all([raise(), applyMembershipEnds()])
  expect(await textsOf(operator)).toEqual([expect.stringMatching(/^Your membership ends on \d+ \w+ \d{4}\.$/)])
  for (const each of [owner, admin]) {
    expect(await textsOf(each)).toEqual([expect.stringMatching(/^The membership of The operator ends on/)])
  }
  expect(await textsOf(viewer)).toEqual([])
})

test('a sign-in from an unknown browser is announced to the user, but neither the first one nor a known one', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const actor = await team.join('operator')
  const signedIn = { id: actor.sessionId, userId: actor.user.id, teamId: team.id, userAgent: 'x', peer: '192.0.2.7' }
  await notifyNewDevice(signedIn, null)
  const token = await rememberDevice(actor.user.id, null)
  await notifyNewDevice(signedIn, token)
  expect(await textsOf(actor)).toEqual([])
  await notifyNewDevice(signedIn, null)
  expect(await textsOf(actor)).toEqual([expect.stringContaining('192.0.2.7')])
})

test('every kind has a sentence without any detail, and hostile names are shown as text', async () => {
  const kinds = Object.keys((await import('@/prisma/generated/portal/client')).NotificationKind)
  expect(kinds.length).toBeGreaterThan(11)
  for (const kind of kinds) {
    expect(describeNotification(kind as Parameters<typeof describeNotification>[0], {})).toMatch(/^[A-Z].*\.$/)
  }
  expect(describeNotification('server_reachable', { name: '\u202egnp' })).not.toContain('\u202e')
})
