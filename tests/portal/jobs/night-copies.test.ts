/** Copies on a schedule: which sites, once a night, with the rights of whoever set it, tried again, and said once. */
import { expect, test } from 'vitest'
import { sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { writeDigest } from '@/lib/portal/delivery/digest'
import type { Person } from '@/lib/portal/identity/actor'
import { planNights } from '@/lib/portal/jobs/night-copies/plan-nights'
import { startDueCopies } from '@/lib/portal/jobs/night-copies/start-due'
import { relayOf } from '@/lib/portal/jobs/relay/relay'
import { excludeFromPlans, removeBackupPlan, setBackupPlan } from '@/lib/portal/subjects/backup-plans/change'
import { nextCopyAt } from '@/lib/portal/subjects/backup-plans/next-copies'
import { raiseLateCopies } from '@/lib/portal/subjects/backup-plans/raise-late'
import { readSchedule } from '@/lib/portal/subjects/backup-plans/view'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const hourMs = 3_600_000
const minuteMs = 60_000
const never = new AbortController().signal

const backupOf = (domain: string) => ({ name: `${domain}-20261128-021400-nightly.tar.zst`, size: '4096', date: 'Nov 28 02:14' })

/** Two sites on one server. */
async function openScene() {
  const database = await openPortalDatabase()
  const [upstream, bucket] = [await startUpstream({ extensions: true }), await startBucketServer()]
  const upstreamServerId = upstream.addServer({ name: 'web-01', backups: [{ name: 'backup-2026-11-28-021400.tar.gz', size: '73400320' }] })
  const domains = ['a.example', 'b.example']
  const upstreamIds = domains.map((domain) => upstream.addSite({ domain, backups: [backupOf(domain)] }))
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  await team.connect(upstream)
  const [server] = await listServers(admin).then(({ servers }) => servers)
  const sites = (await listSites(admin)).sites
  const siteIds = domains.map((domain) => sites.find((site) => site.domain === domain)?.id ?? '')
  expect(await addBackupTarget(inputOf(admin, { ...bucket.fields, keeper: 'team' }))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const now = new Date()
  const hour = String(now.getUTCHours())
  const round = async (at = now) => {
    await planNights(at)
    await startDueCopies(at, never)
    for (const { jobId } of await db().nightCopy.findMany({ where: { state: 'running' } })) await relayOf(jobId)
  }
  return {
    team,
    owner,
    admin,
    now,
    target,
    bucket,
    siteIds,
    serverId: server?.id ?? '',
    upstream,
    models: upstreamIds.map((id) => upstream.model.sites.get(id)),
    round,
    set: (who: Person, place: string, placeId: string, more: Record<string, string> = {}) =>
      setBackupPlan(inputOf(who, { place, placeId, targetId: target.id, hour, timeZone: 'UTC', limitKb: '', ...more })),
    /** As if it had been set two days ago. */
    age: () => db().backupPlan.updateMany({ data: { setAt: new Date(now.getTime() - 48 * hourMs) } }),
    /** As once it is installed. */
    async install() {
      const server = upstream.model.servers.get(upstreamServerId)
      if (server) server.state = 'ready'
      await db().server.updateMany({ data: { state: 'ready' } })
    },
    sentOfServer: () => upstream.callsTo('POST', `/servers/${upstreamServerId}/copies`).length,
    server: upstream.model.servers.get(upstreamServerId),
    sent: () => upstreamIds.map((id) => upstream.callsTo('POST', `/sites/${id}/copies`).length),
    states: async () => (await db().nightCopy.findMany({ orderBy: [{ night: 'asc' }, { siteId: 'asc' }] })).map(({ state }) => state),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await bucket[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('every site is copied once in a night, one after the other on one server, and again the next night', async () => {
  await using scene = await openScene()
  expect(await scene.set(scene.admin, 'team', '', { limitKb: '500' })).toMatchObject({ ok: true })
  await scene.round()
  expect(scene.sent()).toEqual([0, 0])
  await scene.age()
  for (let each = 0; each < 4; each += 1) await scene.round()
  expect(scene.sent()).toEqual([1, 1])
  expect(await scene.states()).toEqual(['done', 'done'])
  const [first] = scene.upstream.callsTo('POST', `/sites/${[...scene.upstream.model.sites.keys()][0]}/copies`)
  expect(String(first?.fields.limit)).toBe('500')
  const entry = await db().auditRow.findFirstOrThrow({ where: { action: 'copies.make', stage: 'intent' } })
  expect(entry).toMatchObject({ actorId: scene.admin.user.id, sessionId: null })
  for (let each = 0; each < 4; each += 1) await scene.round(new Date(scene.now.getTime() + 24 * hourMs))
  expect(scene.sent()).toEqual([2, 2])
})

test('the most specific schedule applies, and a site can be excluded', async () => {
  await using scene = await openScene()
  const [a = '', b = ''] = scene.siteIds
  await scene.set(scene.admin, 'team', '')
  await db().connection.updateMany({ data: { ownerId: scene.admin.user.id } })
  // The team's schedule leaves out what only a connection of a member lists.
  expect((await nextCopyAt({ id: { in: [a, b] } }, scene.now)).size).toBe(0)
  await db().connection.updateMany({ data: { ownerId: null } })
  expect((await nextCopyAt({ id: { in: [a, b] } }, scene.now)).size).toBe(2)
  await scene.set(scene.admin, 'server', scene.serverId)
  expect(await excludeFromPlans(inputOf(scene.admin, { place: 'site', placeId: a }))).toMatchObject({ ok: true })
  await scene.age()
  expect([...(await nextCopyAt({ id: { in: [a, b] } }, scene.now)).keys()]).toEqual([b])
  for (let each = 0; each < 3; each += 1) await scene.round()
  expect(scene.sent()).toEqual([0, 1])
  expect(await removeBackupPlan(inputOf(scene.admin, { place: 'site', placeId: a }))).toMatchObject({ ok: true })
  expect([...(await nextCopyAt({ id: { in: [a, b] } }, scene.now)).keys()].sort()).toEqual([a, b].sort())
})

test('an installed server itself is copied too, by its schedule or the team’s, and can be excluded', async () => {
  await using scene = await openScene()
  await scene.set(scene.admin, 'team', '')
  await scene.age()
  for (let each = 0; each < 3; each += 1) await scene.round()
  expect([scene.sent(), scene.sentOfServer()]).toEqual([[1, 1], 0])
  await scene.install()
  const later = (nights: number) => new Date(scene.now.getTime() + nights * 24 * hourMs)
  for (let each = 0; each < 4; each += 1) await scene.round(later(1))
  expect([scene.sent(), scene.sentOfServer()]).toEqual([[2, 2], 1])
  expect(await db().backupCopy.findMany({ where: { siteId: scene.serverId } })).toMatchObject([{ state: 'done', domain: '' }])
  for (const siteId of scene.siteIds) await excludeFromPlans(inputOf(scene.admin, { place: 'site', placeId: siteId }))
  for (let each = 0; each < 2; each += 1) await scene.round(later(2))
  expect([scene.sent(), scene.sentOfServer()]).toEqual([[2, 2], 2])
  await excludeFromPlans(inputOf(scene.admin, { place: 'server', placeId: scene.serverId }))
  for (let each = 0; each < 2; each += 1) await scene.round(later(3))
  expect([scene.sent(), scene.sentOfServer()]).toEqual([[2, 2], 2])
})

test('a schedule with a target of a member copies the sites of a server and not the server itself', async () => {
  await using scene = await openScene()
  await scene.install()
  expect(await addBackupTarget(inputOf(scene.admin, { ...scene.bucket.fields, keeper: 'own' }))).toMatchObject({ ok: true })
  const { id: targetId } = await db().backupTarget.findFirstOrThrow({ where: { ownerId: scene.admin.user.id } })
  const server = { kind: 'server', id: scene.serverId } as const
  await scene.set(scene.admin, 'team', '')
  const targets = expect.arrayContaining([true, false].map((isOfTeam) => expect.objectContaining({ isOfTeam })))
  expect(await readSchedule(scene.admin, server)).toMatchObject({ plan: { takesServers: true }, targets })
  expect(await scene.set(scene.admin, 'server', scene.serverId, { targetId })).toMatchObject({ ok: true })
  expect(await readSchedule(scene.admin, server)).toMatchObject({ plan: { takesServers: false } })
  await scene.age()
  for (let each = 0; each < 4; each += 1) await scene.round()
  expect([scene.sent(), scene.sentOfServer(), await scene.states()]).toEqual([[1, 1], 0, ['done', 'done']])
})

test('where only the server itself cannot be copied, that is said once, although its sites are copied', async () => {
  await using scene = await openScene()
  await scene.install()
  if (scene.server) scene.server.backups = []
  await scene.set(scene.admin, 'team', '')
  await scene.age()
  for (const night of [0, 1])
    for (let attempt = 0; attempt < 8; attempt += 1)
      await scene.round(new Date(scene.now.getTime() + night * 24 * hourMs + attempt * 4 * hourMs))
  expect(scene.sent()[0]).toBeGreaterThan(1)
  const told = await db().notification.findMany({ where: { kind: 'copy_failed' }, distinct: ['onceKey'] })
  expect(told).toMatchObject([{ subjectId: scene.serverId }])
  expect(told[0]?.detail).toContain('no backup yet')
})

test('viewers set none, operators none for the team; a target that the member may not use is refused', async () => {
  await using scene = await openScene()
  const [viewer, operator] = [await scene.team.join('viewer'), await scene.team.join('operator')]
  expect(await scene.set(viewer, 'site', scene.siteIds[0] ?? '')).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await scene.set(viewer, 'server', scene.serverId)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await scene.set(operator, 'team', '')).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await scene.set(operator, 'server', createOpaqueId())).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await scene.set(operator, 'server', scene.serverId)).toMatchObject({ ok: true })
  const wrong = { targetId: createOpaqueId(), hour: '24', timeZone: 'Mars', limitKb: '-1' }
  expect(await scene.set(operator, 'site', scene.siteIds[0] ?? '', wrong)).toMatchObject({
    problem: {
      fields: { targetId: expect.any(String), hour: expect.any(String), timeZone: expect.any(String), limitKb: expect.any(String) },
    },
  })
})

test('it needs no session of the member who set it; without their rights it is paused, and owners are notified once', async () => {
  await using scene = await openScene()
  const operator = await scene.team.join('operator')
  await scene.set(operator, 'server', scene.serverId)
  await scene.age()
  await db().session.updateMany({ where: { userId: operator.user.id }, data: { revokedAt: new Date() } })
  await scene.round()
  expect(scene.sent().toSorted()).toEqual([0, 1])
  await db().membership.updateMany({ where: { userId: operator.user.id }, data: { role: 'viewer' } })
  await scene.round()
  await scene.round()
  expect(scene.sent().toSorted()).toEqual([0, 1])
  expect(await db().backupPlan.findFirstOrThrow()).toMatchObject({ pausedBecause: expect.stringContaining('no longer allows') })
  const told = await db().notification.findMany({ where: { kind: 'copies_paused' } })
  expect(told.map(({ userId }) => userId).sort()).toEqual([scene.owner.user.id, operator.user.id].sort())
  await scene.set(scene.admin, 'server', scene.serverId)
  await scene.age()
  for (let each = 0; each < 3; each += 1) await scene.round(new Date(scene.now.getTime() + 24 * hourMs))
  expect(scene.sent().toSorted()).toEqual([1, 2])
})

test('a copy that fails is tried again after 15 minutes, one and three hours, and its cause is reported once', async () => {
  await using scene = await openScene()
  await scene.set(scene.admin, 'site', scene.siteIds[0] ?? '')
  await scene.age()
  if (scene.models[0]) scene.models[0].backups = []
  const ends = [0, 14, 16, 75, 77, 250, 257, 260].map((minutes) => new Date(scene.now.getTime() + minutes * minuteMs))
  const attempts: number[] = []
  for (const at of ends) {
    await scene.round(at)
    await scene.round(at)
    attempts.push(scene.sent()[0] ?? 0)
  }
  expect(attempts).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  expect(await db().nightCopy.findFirstOrThrow()).toMatchObject({ state: 'failed', problem: expect.stringContaining('no backup yet') })
  const said = () => db().notification.findMany({ where: { kind: 'copy_failed', userId: scene.admin.user.id } })
  expect((await said()).map(({ detail }) => JSON.parse(detail))).toMatchObject([
    { name: 'web-01', why: expect.stringContaining('no backup yet') },
  ])
  expect(await db().notification.count({ where: { kind: 'job_failed' } })).toBe(0)
  for (const minutes of [0, 0, 20, 20, 100, 100, 300, 300]) {
    await scene.round(new Date(scene.now.getTime() + 24 * hourMs + minutes * minuteMs))
  }
  expect(scene.sent()[0]).toBe(8)
  expect(await said()).toHaveLength(1)
})

test('a site without a good copy for 26 hours is reported once, and once when it is copied again', async () => {
  await using scene = await openScene()
  const [a = ''] = scene.siteIds
  await scene.set(scene.admin, 'site', a)
  const kinds = async () =>
    (await db().notification.findMany({ where: { userId: scene.admin.user.id, kind: { in: ['copy_late', 'copy_good'] } } })).map(
      ({ kind }) => kind,
    )
  const past = (hours: number) => new Date(scene.now.getTime() - hours * hourMs)
  await db().site.updateMany({ data: { createdAt: past(100) } })
  await db().backupPlan.updateMany({ data: { setAt: past(25) } })
  await raiseLateCopies(scene.now)
  expect(await kinds()).toEqual([])
  await db().backupPlan.updateMany({ data: { setAt: past(27) } })
  await raiseLateCopies(scene.now)
  await raiseLateCopies(scene.now)
  expect(await kinds()).toEqual(['copy_late'])
  expect(await writeDigest(scene.admin, scene.now)).toContain('0 of 1 site copied elsewhere, 1 late: a.example.')
  await scene.round()
  await scene.round()
  await raiseLateCopies(new Date())
  await raiseLateCopies(new Date())
  expect((await kinds()).sort()).toEqual(['copy_good', 'copy_late'])
  expect(await writeDigest(scene.admin, new Date())).toContain('1 of 1 site copied elsewhere.')
})

test('a server itself is late from the first night in which it was to be copied, and is reported by its name', async () => {
  await using scene = await openScene()
  await scene.install()
  await scene.set(scene.admin, 'server', scene.serverId)
  const late = async () => {
    await raiseLateCopies(scene.now)
    return db().notification.count({
      where: { kind: 'copy_late', subjectKind: 'server', subjectId: scene.serverId, userId: scene.admin.user.id },
    })
  }
  await db().backupPlan.updateMany({ data: { setAt: new Date(scene.now.getTime() - 100 * hourMs) } })
  await db().server.updateMany({ data: { createdAt: new Date(scene.now.getTime() - 100 * hourMs) } })
  // A schedule that was there before servers themselves were copied.
  expect(await late()).toBe(0)
  const dueAt = new Date(scene.now.getTime() - 27 * hourMs)
  await db().nightCopy.create({ data: { siteId: scene.serverId, serverId: scene.serverId, night: '2026-01-01', state: 'failed', dueAt } })
  expect([await late(), await late()]).toEqual([1, 1])
  expect(await writeDigest(scene.admin, scene.now)).toContain('0 of 1 server copied elsewhere, 1 late: web-01.')
})

test('a server that was never copied is reported once more, not each night, when its first night is forgotten', async () => {
  await using scene = await openScene()
  await scene.install()
  await scene.set(scene.admin, 'server', scene.serverId)
  const past = (days: number) => new Date(scene.now.getTime() - days * 24 * hourMs)
  await db().backupPlan.updateMany({ data: { setAt: past(90) } })
  await db().server.updateMany({ data: { createdAt: past(90) } })
  const reported = async (days: number) => {
    const later = new Date(scene.now.getTime() + days * 24 * hourMs)
    await db().nightCopy.deleteMany({ where: { dueAt: { lt: new Date(later.getTime() - 30 * 24 * hourMs) } } })
    await raiseLateCopies(later)
    return db().notification.count({ where: { kind: 'copy_late', subjectId: scene.serverId, userId: scene.admin.user.id } })
  }
  const nights = Array.from({ length: 30 }, (_, index) => ({ night: `night ${index}`, dueAt: past(index + 2) }))
  await db().nightCopy.createMany({
    data: nights.map((each) => ({ ...each, siteId: scene.serverId, serverId: scene.serverId, state: 'failed' as const })),
  })
  expect([await reported(0), await reported(1), await reported(2), await reported(3)]).toEqual([1, 1, 1, 1])
})

test('an attempt that a portal claimed and never started is repeated', async () => {
  await using scene = await openScene()
  await scene.set(scene.admin, 'site', scene.siteIds[0] ?? '')
  await scene.age()
  await planNights(scene.now)
  const claimed = { state: 'running', jobId: createOpaqueId(), attempts: 1, startedAt: scene.now } as const
  await db().nightCopy.updateMany({ data: claimed })
  await scene.round(new Date(scene.now.getTime() + minuteMs))
  expect(scene.sent()).toEqual([0, 0])
  await scene.round(new Date(scene.now.getTime() + 6 * minuteMs))
  await scene.round(new Date(scene.now.getTime() + 12 * minuteMs))
  expect(scene.sent()).toEqual([1, 0])
})

test('times that were stored while the clock was wrong hold no site up', async () => {
  await using scene = await openScene()
  const [a = '', b = ''] = scene.siteIds
  await scene.set(scene.admin, 'site', a)
  await scene.age()
  const wrong = new Date(scene.now.getTime() + 1000 * 24 * hourMs)
  await planNights(wrong)
  expect(await db().nightCopy.findMany()).toMatchObject([{ state: 'waiting', dueAt: wrong }])
  await scene.round()
  expect(scene.sent()).toEqual([1, 0])
  await scene.set(scene.admin, 'site', b)
  await db().backupPlan.updateMany({ where: { siteId: b }, data: { setAt: wrong } })
  await scene.round()
  await scene.round()
  expect(scene.sent()).toEqual([1, 1])
  const claimed = { state: 'running', jobId: createOpaqueId(), startedAt: wrong } as const
  await db().nightCopy.updateMany({ where: { siteId: b }, data: claimed })
  await scene.round()
  expect(await db().nightCopy.findFirstOrThrow({ where: { siteId: b } })).toMatchObject({ state: 'waiting' })
})

test('a schedule that cannot be read holds up no other', async () => {
  await using scene = await openScene()
  await scene.set(scene.admin, 'server', scene.serverId)
  await scene.set(scene.admin, 'site', scene.siteIds[1] ?? '')
  await scene.age()
  await db().backupPlan.updateMany({ where: { siteId: null }, data: { timeZone: 'Mars/Olympus' } })
  await scene.round()
  expect(scene.sent()).toEqual([0, 1])
})

test('a schedule that is set to a later hour begins on the same day', async () => {
  await using scene = await openScene()
  const past = (hours: number) => new Date(scene.now.getTime() - hours * hourMs)
  await scene.set(scene.admin, 'site', scene.siteIds[0] ?? '')
  await scene.age()
  await scene.round()
  await scene.round()
  expect(await scene.states()).toEqual(['done'])
  await db().nightCopy.updateMany({ data: { dueAt: past(12) } })
  await scene.set(scene.admin, 'site', scene.siteIds[0] ?? '')
  await db().backupPlan.updateMany({ data: { setAt: past(6) } })
  await scene.round()
  await scene.round()
  expect(scene.sent()).toEqual([2, 0])
  expect(await scene.states()).toEqual(['done'])
})

test('members who may not know of copies are told nothing of them', async () => {
  await using scene = await openScene()
  const [a = ''] = scene.siteIds
  const [guest, viewer] = [await scene.team.join('guest'), await scene.team.join('viewer')]
  const given = await db().grant.findFirstOrThrow({ where: { userId: viewer.user.id } })
  const scopes = { create: { kind: 'everything' } } as const
  await db().grant.create({ data: { ...given, id: createOpaqueId(), userId: guest.user.id, scopes } })
  expect(await db().site.count({ where: await sitesVisibleTo(guest) })).toBe(2)
  await scene.set(scene.admin, 'site', a)
  await db().site.updateMany({ data: { createdAt: new Date(scene.now.getTime() - 100 * hourMs) } })
  await scene.age()
  await raiseLateCopies(scene.now)
  if (scene.models[0]) scene.models[0].backups = []
  for (const minutes of [0, 0, 16, 16, 77, 77, 257, 257]) await scene.round(new Date(scene.now.getTime() + minutes * minuteMs))
  const told = async (userId: string) => (await db().notification.findMany({ where: { userId } })).map(({ kind }) => kind).sort()
  expect(await told(viewer.user.id)).toEqual(['copy_failed', 'copy_late'])
  expect(await told(guest.user.id)).toEqual([])
  expect((await writeDigest(viewer, scene.now)).join(' ')).toContain('elsewhere')
  expect((await writeDigest(guest, scene.now)).join(' ')).not.toContain('elsewhere')
})

test('a schedule of whoever could not set it there any more is paused', async () => {
  await using scene = await openScene()
  const operator = await scene.team.join('operator')
  await scene.set(operator, 'server', scene.serverId)
  await scene.age()
  const narrow = { kind: 'site', about: scene.siteIds[0] ?? '' } as const
  await db().grantScope.updateMany({ where: { grant: { userId: operator.user.id } }, data: narrow })
  await scene.round()
  const reason = async () => (await db().backupPlan.findFirstOrThrow()).pausedBecause
  expect(await reason()).toContain('no longer includes')
  expect(scene.sent()).toEqual([0, 0])
  await db().backupPlan.deleteMany()
  await db().nightCopy.deleteMany()
  await scene.set(scene.admin, 'team', '')
  await scene.age()
  await db().membership.updateMany({ where: { userId: scene.admin.user.id }, data: { role: 'operator' } })
  await scene.round()
  expect(await reason()).toContain('no longer includes')
  expect(scene.sent()).toEqual([0, 0])
})
