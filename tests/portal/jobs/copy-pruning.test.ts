/** Old copies are deleted after the night of their schedule: which, once, with whose rights, with which key, tried again, and reported once. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { sealRepository } from '@/lib/portal/custody/backup-target'
import type { Person } from '@/lib/portal/identity/actor'
import { pruneDue } from '@/lib/portal/jobs/night-copies/prune-due'
import { removeBackupPlan, setBackupPlan } from '@/lib/portal/subjects/backup-plans/change'
import { readSchedule } from '@/lib/portal/subjects/backup-plans/view'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { ensureRepository } from '@/lib/portal/subjects/backup-targets/repository'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const dayMs = 86_400_000
const minuteMs = 60_000
const never = new AbortController().signal
const address = '/sites/prunecopies'

const small = { keepDaily: '2', keepWeekly: '0', keepMonthly: '0' }

/** Two servers, each with one site and a repository with ten nightly copies of it at the same target. */
async function openScene() {
  const database = await openPortalDatabase()
  const during = { deletion: () => {} }
  const refuses = ({ path }: { path: string }) => {
    if (path === address) during.deletion()
    return null
  }
  const [upstream, bucket] = [await startUpstream({ extensions: true, refuses }), await startBucketServer()]
  const upstreamServers = ['web-01', 'web-02'].map((name) => upstream.addServer({ name }))
  const domains = ['a.example', 'b.example']
  for (const [index, domain] of domains.entries()) upstream.addSite({ domain, server: upstreamServers[index] ?? '' })
  const team = await createTeam()
  const [owner, admin] = [await team.join('owner'), await team.join('admin')]
  await team.connect(upstream)
  const { servers } = await listServers(admin)
  const sites = (await listSites(admin)).sites
  expect(await addBackupTarget(inputOf(admin, { ...bucket.fields, keeper: 'team' }))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const now = new Date()
  const places = await Promise.all(
    domains.map(async (domain, index) => {
      const site = sites.find((each) => each.domain === domain)
      const server = servers.find(({ name }) => name === `web-0${index + 1}`)
      if (!site || !server) throw new Error('The scene is not complete.')
      return { siteId: site.id, serverId: server.id, repository: await ensureRepository(target, server) }
    }),
  )
  const addCopy = async (place: number, daysAgo: number, more: Record<string, unknown> = {}) => {
    const [id, at] = [createOpaqueId(), new Date(now.getTime() - daysAgo * dayMs)]
    const { siteId, repository } = places[place] ?? { siteId: '', repository: { id: '' } }
    const snapshot = `${place + 1}${String(daysAgo).padStart(2, '0')}`.padEnd(64, 'a').replace(/^(...)/, '$1bcdef')
    const data = {
      id,
      repositoryId: repository.id,
      siteId,
      domain: domains[place] ?? '',
      state: 'done' as const,
      startedAt: at,
      endedAt: at,
    }
    await db().backupCopy.create({ data: { ...data, snapshot: snapshot.slice(0, 64), ...more } })
    return id
  }
  for (const place of [0, 1]) for (let days = 0; days < 10; days += 1) await addCopy(place, days)
  const set = (who: Person, place: string, placeId: string, more: Record<string, string> = {}) =>
    setBackupPlan(inputOf(who, { place, placeId, targetId: target.id, hour: '2', timeZone: 'UTC', limitKb: '', ...more }))
  return {
    ...{ team, owner, admin, now, target, upstream, during, places, addCopy, set },
    /** The copies that are left, by how many days ago they were made. */
    left: async (place: number) => {
      const rows = await db().backupCopy.findMany({
        where: { repositoryId: places[place]?.repository.id ?? '' },
        orderBy: { startedAt: 'desc' },
      })
      return rows.map(({ startedAt }) => Math.round((now.getTime() - startedAt.getTime()) / dayMs))
    },
    sent: () => upstream.callsTo('POST', address),
    night: (night: string) => db().backupPlan.updateMany({ data: { night } }),
    round: (minutes = 0) => pruneDue(new Date(now.getTime() + minutes * minuteMs), never),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await bucket[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** A restore of a.example from a copy that runs. */
async function startRestore(teamId: string, siteId: string): Promise<void> {
  const job = { id: createOpaqueId(), teamId, operation: 'copies.restore', siteId, targetName: 'a.example', state: 'running' } as const
  await db().job.create({ data: { ...job, lease: '', heardAt: new Date() } })
}

test('once after each night the surplus of the schedule is deleted, with the maintenance key, as the member who set it; other servers keep theirs', async () => {
  await using scene = await openScene()
  const { serverId = '', repository } = scene.places[0] ?? {}
  await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: '8' })
  await db().session.updateMany({ where: { userId: scene.admin.user.id }, data: { revokedAt: new Date() } })
  await scene.round()
  expect(scene.sent()).toHaveLength(0)
  await scene.night('2026-11-28')
  await scene.round()
  await scene.round()
  expect(scene.sent()).toHaveLength(1)
  const { fields } = scene.sent()[0] ?? {}
  expect(fields).toMatchObject({ key_id: 'MAINTENANCEKEY', folder: `fleet/a/${repository?.id}` })
  expect([await scene.left(0), await scene.left(1)]).toEqual([[0, 1], all])
  const entries = await db().auditRow.findMany({ where: { action: 'copies.prune' }, orderBy: { seq: 'asc' } })
  expect(entries).toMatchObject([
    { stage: 'intent', actorId: scene.admin.user.id, sessionId: null, objectKind: 'server', objectId: serverId },
    { stage: 'outcome', outcome: 'done' },
  ])
  expect(entries[0]?.detail).toContain('8 old copies from Copies')
  for (const { detail } of entries) for (const secret of ['canary', 'MAINTENANCEKEY']) expect(detail).not.toContain(secret)
  await scene.addCopy(0, -0.0001)
  await scene.night('2026-11-29')
  await scene.round(1)
  expect(await db().copyPruning.findMany()).toMatchObject([{ state: 'done', night: '2026-11-29' }])
})

test('copies of sites that are gone, excluded, without a schedule or of a schedule with another target are kept', async () => {
  await using scene = await openScene()
  const { siteId = '', serverId = '' } = scene.places[0] ?? {}
  await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: '8' })
  await db().site.update({ where: { id: siteId }, data: { goneAt: new Date() } })
  await scene.night('2026-11-28')
  await scene.round()
  await db().site.update({ where: { id: siteId }, data: { goneAt: null } })
  await db().backupPlan.updateMany({ data: { excluded: true } })
  await scene.night('2026-11-29')
  await scene.round()
  await db().backupPlan.updateMany({ data: { excluded: false, targetId: null } })
  await scene.round()
  expect([scene.sent(), await scene.left(0)]).toEqual([[], all])
})

test('a copy that is made, restored or proven, and a snapshot that a kept copy has too, are left alone', async () => {
  await using scene = await openScene()
  const { siteId = '', serverId = '' } = scene.places[0] ?? {}
  await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: '8' })
  await scene.night('2026-11-28')
  const running = await scene.addCopy(0, 0, { state: 'running', snapshot: '' })
  await scene.round()
  expect(scene.sent()).toHaveLength(0)
  await db().backupCopy.delete({ where: { id: running } })
  await startRestore(scene.team.id, siteId)
  await scene.round()
  expect([scene.sent(), await scene.left(0)]).toEqual([[], all])
  await db().job.updateMany({ data: { operation: 'copies.prove' } })
  await scene.night('2026-11-28 again')
  await scene.round()
  expect([scene.sent(), await scene.left(0)]).toEqual([[], all])
  await db().job.deleteMany()
  // The server reports the id of an old snapshot for its newest copy.
  const [newest] = await db().backupCopy.findMany({ where: { siteId }, orderBy: { startedAt: 'desc' } })
  const [oldest] = await db().backupCopy.findMany({ where: { siteId }, orderBy: { startedAt: 'asc' } })
  await db().backupCopy.update({ where: { id: newest?.id ?? '' }, data: { snapshot: (oldest?.snapshot ?? '').slice(0, 8) } })
  await scene.night('2026-11-29')
  await scene.round()
  expect(await scene.left(0)).toEqual([0, 1, 9])
})

test('a schedule that is changed while copies of one server are deleted deletes none of the next by its former numbers', async () => {
  await using scene = await openScene()
  await scene.set(scene.admin, 'team', '', { ...small, confirmCount: '16' })
  await scene.night('2026-11-28')
  let changed: Promise<unknown> | undefined
  scene.during.deletion = () => {
    changed = scene.set(scene.admin, 'team', '', { keepDaily: '30' })
  }
  await scene.round()
  expect(await changed).toMatchObject({ ok: true })
  expect([...(await scene.left(0)), ...(await scene.left(1))]).toHaveLength(12)
})

test('a schedule whose copies cannot be told holds up no other', async () => {
  await using scene = await openScene()
  for (const { serverId } of scene.places) await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: '8' })
  await scene.night('2026-11-28')
  // Of a database of time zones that has it no more.
  const [first] = await db().backupPlan.findMany({ orderBy: { id: 'asc' } })
  await db().backupPlan.update({ where: { id: first?.id ?? '' }, data: { timeZone: 'Nowhere/Gone' } })
  await scene.round()
  expect([...(await scene.left(0)), ...(await scene.left(1))]).toHaveLength(12)
})

test('copies wait for the end of the night', async () => {
  await using scene = await openScene()
  const { siteId = '', serverId = '' } = scene.places[0] ?? {}
  await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: '8' })
  await scene.night('2026-11-28')
  await db().nightCopy.create({ data: { siteId, serverId, night: '2026-11-28', state: 'waiting', dueAt: scene.now } })
  await scene.round()
  expect(scene.sent()).toHaveLength(0)
  await db().nightCopy.updateMany({ data: { state: 'failed' } })
  await scene.round()
  expect(scene.sent()).toHaveLength(1)
})

test('neither a night that does not end on one server nor a proof that is postponed again and again keeps the old copies of others', async () => {
  await using scene = await openScene()
  await scene.set(scene.admin, 'team', '', { ...small, confirmCount: '16' })
  await scene.night('2026-11-28')
  const [first, second] = scene.places.map(({ siteId, serverId }) => ({ siteId, serverId, night: '2026-11-28', dueAt: scene.now }))
  if (!first || !second) throw new Error('The scene is not complete.')
  await db().nightCopy.create({ data: { ...first, state: 'running' } })
  await db().nightCopy.create({ data: { ...second, night: 'proof 2026-11-20', copyId: 'any', state: 'waiting' } })
  await scene.round()
  expect([await scene.left(0), await scene.left(1)]).toEqual([all, [0, 1]])
})

test('what fails is tried again three times, reported once for each cause, and deletes no row', async () => {
  await using scene = await openScene()
  const { serverId = '' } = scene.places[0] ?? {}
  const viewer = await scene.team.join('viewer')
  await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: '8' })
  await scene.night('2026-11-28')
  scene.upstream.set('success-false', { path: address })
  const said = () => db().notification.findMany({ where: { kind: 'prune_failed', userId: viewer.user.id } })
  for (const minutes of [0, 5, 16, 30, 77, 90, 258]) await scene.round(minutes)
  expect([scene.sent().length, await scene.left(0), (await said()).length]).toEqual([4, all, 1])
  expect((await said())[0]).toMatchObject({ subjectId: serverId, detail: expect.stringContaining('web-01') })
  await scene.round(2000)
  expect(scene.sent()).toHaveLength(4)
  await scene.night('2026-11-29')
  for (const minutes of [0, 16, 77, 258]) await scene.round(minutes)
  expect([scene.sent().length, (await said()).length]).toEqual([8, 1])
  scene.upstream.clear()
  await scene.night('2026-11-30')
  await scene.round()
  expect(await scene.left(0)).toEqual([0, 1])
})

test('without the rights of the member who set it nothing is deleted', async () => {
  await using scene = await openScene()
  const operator = await scene.team.join('operator')
  const { serverId = '', siteId = '' } = scene.places[0] ?? {}
  await scene.set(operator, 'server', serverId, { ...small, confirmCount: '8' })
  await db().grantScope.updateMany({ where: { grant: { userId: operator.user.id } }, data: { kind: 'site', about: siteId } })
  await scene.night('2026-11-28')
  await scene.round()
  expect([scene.sent(), await scene.left(0)]).toEqual([[], all])
  expect(await db().copyPruning.findMany()).toMatchObject([{ state: 'failed', problem: expect.stringContaining('may no longer delete') }])
  await db().backupPlan.deleteMany()
  await db().copyPruning.deleteMany()
  // The site alone is enough for the schedule of the site.
  await scene.set(operator, 'site', siteId, { ...small, confirmCount: '8' })
  await scene.night('2026-11-29')
  await scene.round()
  expect(await scene.left(0)).toEqual([0, 1])
})

test('a schedule deletes copies of a server itself only if whoever set it may delete its backups', async () => {
  await using scene = await openScene()
  const { serverId = '' } = scene.places[0] ?? {}
  await db().server.updateMany({ data: { state: 'ready' } })
  for (let days = 0; days < 10; days += 1)
    await scene.addCopy(0, days, { siteId: serverId, domain: '', snapshot: `ff${days}`.padEnd(64, 'e') })
  const ofServer = () => db().backupCopy.count({ where: { siteId: serverId } })
  const set = async () => {
    const asked = await scene.set(scene.admin, 'server', serverId, small)
    const [count = ''] = /\d+/.exec(asked.ok ? '' : (asked.problem.fields?.confirmCount?.match(/Type \d+/)?.[0] ?? '')) ?? []
    expect(await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: count })).toMatchObject({ ok: true })
  }
  await db().grant.updateMany({ data: { subjects: 'backups,copies,sites' } })
  await set()
  await scene.night('2026-11-28')
  await scene.round()
  expect([await scene.left(0), await ofServer()]).toEqual([expect.arrayContaining([0, 1]), 10])
  expect(await db().backupCopy.count({ where: { domain: 'a.example' } })).toBe(2)
  await db().grant.updateMany({ data: { subjects: 'backups,copies,sites,serverBackups' } })
  await scene.night('2026-11-29')
  await scene.round()
  expect(await ofServer()).toBe(2)
})

test('the key of the team is not sent to a service that only a member uses', async () => {
  await using scene = await openScene()
  const { serverId = '' } = scene.places[0] ?? {}
  await scene.set(scene.admin, 'server', serverId, { ...small, confirmCount: '8' })
  await scene.night('2026-11-28')
  await db().connection.updateMany({ data: { ownerId: scene.admin.user.id } })
  await scene.round()
  expect(scene.sent()).toHaveLength(0)
})

test('a schedule says before what it deletes, and asks for the number; one that keeps more says nothing', async () => {
  await using scene = await openScene()
  expect(await scene.set(scene.admin, 'team', '', { keepDaily: '30' })).toMatchObject({ ok: true })
  const asked = await scene.set(scene.admin, 'team', '', small)
  const sentence = expect.stringMatching(
    /^With these numbers, 16 copies of 2 sites are deleted after the next night; the oldest is of \d+ \w+ 20\d\d\. Type 16 to confirm\.$/,
  )
  expect(asked).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { confirmCount: sentence } } })
  expect(await scene.set(scene.admin, 'team', '', { ...small, confirmCount: '15' })).toMatchObject({ ok: false })
  expect(await scene.set(scene.admin, 'team', '', { ...small, confirmCount: '16' })).toMatchObject({ ok: true })
  expect(await db().backupPlan.findFirstOrThrow()).toMatchObject({ keepDaily: 2, keepWeekly: 0, keepMonthly: 0 })
  // What goes anyway is not said again.
  expect(await scene.set(scene.admin, 'team', '', { ...small, hour: '5' })).toMatchObject({ ok: true })
  expect(await scene.set(scene.admin, 'team', '', { ...small, keepDaily: '3' })).toMatchObject({ ok: true })
  const wrong = { keepDaily: '0', keepWeekly: '-1', keepMonthly: 'all' }
  expect(await scene.set(scene.admin, 'team', '', wrong)).toMatchObject({
    problem: { fields: { keepDaily: 'Enter a number from 1 to 366.', keepWeekly: expect.any(String), keepMonthly: expect.any(String) } },
  })
})

test('old copies in a folder are deleted by its server, and those of an SFTP server without a maintenance key are kept', async () => {
  await using scene = await openScene()
  const { siteId = '', serverId = '', repository } = scene.places[0] ?? {}
  const disk = { kind: 'folder', keeper: 'team', label: 'Disk', path: '/mnt/backups', serverId }
  expect(await addBackupTarget(inputOf(scene.admin, disk))).toMatchObject({ ok: true })
  const { id: targetId } = await db().backupTarget.findFirstOrThrow({ where: { kind: 'folder' } })
  const moved = { id: repository?.id ?? '', targetId, serverId }
  const sealed = await sealRepository(moved, 'p'.repeat(43))
  await db().backupRepository.update({ where: { id: moved.id }, data: { targetId, ...sealed } })
  expect(await scene.set(scene.admin, 'site', siteId, { ...small, targetId, confirmCount: '8' })).toMatchObject({ ok: true })
  expect(await readSchedule(scene.admin, { kind: 'site', id: siteId })).toMatchObject({
    plan: { target: 'Disk', retention: { keepDaily: 2 } },
    targets: [
      { label: 'Copies', isPruned: true },
      { label: 'Disk', isPruned: true },
    ],
  })
  await scene.night('2026-11-28')
  // As it was added before there was such a key.
  const added = await db().backupTarget.findFirstOrThrow({ where: { id: targetId } })
  const address = JSON.stringify({ host: 'storage.example.org', port: '22', user: 'copies', folder: '', hostKey: 'ssh-ed25519 AAAA' })
  await db().backupTarget.update({ where: { id: targetId }, data: { kind: 'sftp', address } })
  await scene.round()
  expect([scene.sent(), await scene.left(0)]).toEqual([[], all])
  expect(await readSchedule(scene.admin, { kind: 'site', id: siteId })).toMatchObject({ plan: { retention: null } })
  // Set there without a question, so it deletes nothing once the target has such a key.
  expect(await scene.set(scene.admin, 'site', siteId, { targetId })).toMatchObject({ ok: true })
  expect(await db().backupPlan.findFirstOrThrow({ where: { siteId } })).toMatchObject({ keepDaily: 366, keepWeekly: 520, keepMonthly: 240 })
  await db().backupPlan.updateMany({ where: { siteId }, data: { keepDaily: 2, keepWeekly: 0, keepMonthly: 0, night: '2026-11-28' } })
  await db().backupTarget.update({ where: { id: targetId }, data: { kind: 'folder', address: added.address } })
  await scene.round()
  expect(scene.sent().map(({ fields }) => fields)).toMatchObject([{ kind: 'folder', folder: `/mnt/backups/${repository?.id}` }])
  expect(scene.sent()[0]?.fields).toMatchObject({ key_secret: '' })
  expect(await scene.left(0)).toEqual([0, 1])
})

test('what a schedule deletes is asked for also while a copy is read, which only postpones it', async () => {
  await using scene = await openScene()
  const { siteId = '' } = scene.places[0] ?? {}
  await scene.set(scene.admin, 'team', '', { keepDaily: '30' })
  await startRestore(scene.team.id, siteId)
  const sentence = expect.stringContaining('16 copies of 2 sites are deleted')
  expect(await scene.set(scene.admin, 'team', '', small)).toMatchObject({ ok: false, problem: { fields: { confirmCount: sentence } } })
})

test('a schedule is not removed while the one that applies then deletes copies that it keeps', async () => {
  await using scene = await openScene()
  const { siteId = '', serverId = '' } = scene.places[0] ?? {}
  await scene.set(scene.admin, 'site', siteId, { keepDaily: '30' })
  await scene.set(scene.admin, 'server', serverId, small)
  const remove = () => removeBackupPlan(inputOf(scene.admin, { place: 'site', placeId: siteId }))
  const sentence = expect.stringContaining('Without this schedule, 8 copies of one site are deleted after the next night')
  expect(await remove()).toMatchObject({ ok: false, problem: { code: 'unsuitable', sentence } })
  expect(await scene.set(scene.admin, 'site', siteId, { ...small, confirmCount: '8' })).toMatchObject({ ok: true })
  expect(await remove()).toMatchObject({ ok: true })
})

test('where deleting needs a second person, a schedule may not delete more than before', async () => {
  await using scene = await openScene()
  await scene.set(scene.admin, 'team', '', { keepDaily: '30' })
  await db().team.updateMany({ data: { secondPersonFor: 'deleteOther' } })
  expect(await scene.set(scene.admin, 'team', '', { ...small, confirmCount: '16' })).toMatchObject({
    ok: false,
    problem: { code: 'unsuitable', sentence: expect.stringContaining('second person') },
  })
  expect(await scene.set(scene.admin, 'team', '', { keepDaily: '31' })).toMatchObject({ ok: true })
  await db().backupPlan.updateMany({ data: { keepDaily: 9, keepWeekly: 0, keepMonthly: 0, night: '2026-11-28' } })
  await scene.round()
  expect(scene.sent()).toHaveLength(2)
})
