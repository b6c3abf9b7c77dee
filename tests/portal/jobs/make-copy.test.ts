/** Copying the newest backup of a site, or of a server itself: what its service gets, what of that is written down, and who may. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { openRepository } from '@/lib/portal/custody/backup-target'
import type { Person } from '@/lib/portal/identity/actor'
import { startCopy } from '@/lib/portal/jobs/make-copy'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { listCopiesOfServer, listCopiesOfSite } from '@/lib/portal/subjects/backup-targets/copies'
import { settleLostCopies } from '@/lib/portal/subjects/backup-targets/lost-copies'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const name = 'first.example-20261128-021400-nightly.tar.zst'

/** own: the connection is the operator’s. */
async function openScene({ extensions = true, own = false } = {}) {
  const database = await openPortalDatabase()
  const [upstream, bucket] = [await startUpstream({ extensions }), await startBucketServer()]
  const upstreamServerId = upstream.addServer({ name: 'web-01', backups: [{ name: 'backup-2026-11-28-021400.tar.gz', size: '73400320' }] })
  const upstreamId = upstream.addSite({ domain: 'first.example', backups: [{ name, size: '4096', date: 'Nov 28 02:14' }] })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream, own ? { ownerId: actor.user.id } : {})
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const add = async (who: Person, keeper: string) => {
    expect(await addBackupTarget(inputOf(who, { ...bucket.fields, keeper }))).toMatchObject({ ok: true })
    return db().backupTarget.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  }
  return {
    team,
    actor,
    siteId,
    ofSite: { id: siteId, domain: 'first.example', serverId },
    site: upstream.model.sites.get(upstreamId),
    add,
    copy: (targetId: string, who: Person = actor) =>
      startCopy(who, { subject: { kind: 'site', id: siteId }, targetId }, { requestId: createOpaqueId() }),
    serverId,
    server: upstream.model.servers.get(upstreamServerId),
    copyServer: (targetId: string, who: Person = actor) =>
      startCopy(who, { subject: { kind: 'server', id: serverId }, targetId }, { requestId: createOpaqueId() }),
    sentOfServer: () => upstream.callsTo('POST', `/servers/${upstreamServerId}/copies`).map(({ fields }) => fields),
    sent: () => upstream.callsTo('POST', `/sites/${upstreamId}/copies`).map(({ fields }) => fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await bucket[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('the service gets the server key and the password of the server’s repository, and neither is stored', async () => {
  await using scene = await openScene()
  const target = await scene.add(await scene.team.join('admin'), 'team')
  expect(await scene.copy(target.id)).toMatchObject({ ok: true })
  await expect
    .poll(() => listCopiesOfSite(scene.actor, scene.ofSite))
    .toMatchObject([{ newest: { state: 'done', backup: name, bytes: 4096 } }])
  expect(await db().backupCopy.findFirstOrThrow()).toMatchObject({ sha256: 'c'.repeat(64) })
  const repository = await db().backupRepository.findFirstOrThrow()
  const password = await openRepository(repository)
  const [fields] = scene.sent()
  const expected = { region: 'eu-test-1', bucket: 'copies', folder: `fleet/a/${repository.id}`, key_id: 'SERVERKEY', password }
  expect(Object.fromEntries(Object.entries(fields ?? {}).map(([key, value]) => [key, String(value)]))).toMatchObject(expected)
  expect(JSON.stringify(fields)).not.toMatch(/MAINTENANCE|maintenance/)
  const rows = [await db().auditRow.findMany(), await db().job.findMany(), await db().jobEvent.findMany(), await db().backupCopy.findMany()]
  const written = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const secret of [password ?? '', 'canary-of-the-server-key', 'SERVERKEY']) expect(written).not.toContain(secret)
  const row = await db().auditRow.findFirstOrThrow({ where: { action: 'copies.make', stage: 'intent' } })
  expect(describeAction(row.action, JSON.parse(row.detail), 'done')).toBe('Copied the newest backup of the site to Copies')
  // The next copy opens the same repository.
  expect(await scene.copy(target.id)).toMatchObject({ ok: true })
  await expect.poll(() => scene.sent().length).toBe(2)
  expect(scene.sent()[1]).toEqual(fields)
})

test('the reason of a failed copy is shown, and the previous copy stays', async () => {
  await using scene = await openScene()
  const target = await scene.add(scene.actor, 'own')
  expect(await scene.copy(target.id)).toMatchObject({ ok: true })
  await expect.poll(() => listCopiesOfSite(scene.actor, scene.ofSite)).toMatchObject([{ newest: { state: 'done' } }])
  if (scene.site) scene.site.backups = []
  expect(await scene.copy(target.id)).toMatchObject({ ok: true })
  await expect
    .poll(() => listCopiesOfSite(scene.actor, scene.ofSite))
    .toMatchObject([{ newest: { state: 'failed', problem: expect.stringContaining('no backup yet') }, lastGood: { state: 'done' } }])
})

test('a target of another member, a frozen one and an unknown one are not found; viewers may not copy', async () => {
  await using scene = await openScene()
  const other = await scene.team.join('operator')
  const [theirs, frozen] = [await scene.add(other, 'own'), await scene.add(scene.actor, 'own')]
  await db().backupTarget.update({ where: { id: frozen.id }, data: { frozenAt: new Date() } })
  for (const id of [theirs.id, frozen.id, createOpaqueId(), ''])
    expect(await scene.copy(id)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  const viewer = await scene.team.join('viewer')
  expect(await scene.copy(theirs.id, viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await db().backupRepository.count()).toBe(0)
  expect(scene.sent()).toEqual([])
})

test('the keys of the team go to no service that only a connection of a member lists', async () => {
  await using scene = await openScene({ own: true })
  const [ofTeam, own] = [await scene.add(await scene.team.join('admin'), 'team'), await scene.add(scene.actor, 'own')]
  expect(await scene.copy(ofTeam.id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const refused = (await listCopiesOfSite(scene.actor, scene.ofSite)).filter(({ refusal }) => refusal !== null)
  expect(refused.map(({ targetId }) => targetId)).toEqual([ofTeam.id])
  expect(await db().backupRepository.count()).toBe(0)
  expect(await scene.copy(own.id)).toMatchObject({ ok: true })
  await expect.poll(() => scene.sent().length).toBe(1)
})

test('a copy to a target of one’s own is a download of the site, and needs the right to that', async () => {
  await using scene = await openScene()
  const [ofTeam, own] = [await scene.add(await scene.team.join('admin'), 'team'), await scene.add(scene.actor, 'own')]
  await db().grant.updateMany({ data: { effects: 'read,change' } })
  expect(await scene.copy(own.id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const refused = (await listCopiesOfSite(scene.actor, scene.ofSite)).filter(({ refusal }) => refusal !== null)
  expect(refused.map(({ targetId }) => targetId)).toEqual([own.id])
  expect(await scene.copy(ofTeam.id)).toMatchObject({ ok: true })
  await expect.poll(() => scene.sent().length).toBe(1)
})

test('a service without extensions makes no copies', async () => {
  await using scene = await openScene({ extensions: false })
  const target = await scene.add(scene.actor, 'own')
  expect(await scene.copy(target.id)).toMatchObject({ ok: false, problem: { code: 'not_built' } })
  expect(scene.sent()).toEqual([])
})

test('a copy whose job is gone, or ended without it, has an outcome after a minute; a running one is left alone', async () => {
  await using scene = await openScene()
  const target = await scene.add(scene.actor, 'own')
  expect(await scene.copy(target.id)).toMatchObject({ ok: true })
  await expect.poll(() => db().job.count({ where: { endedAt: { not: null } } })).toBe(1)
  const { id: jobId } = await db().job.findFirstOrThrow()
  const newest = async () => (await listCopiesOfSite(scene.actor, scene.ofSite))[0]?.newest
  const strand = () => db().backupCopy.updateMany({ data: { state: 'running', problem: '', snapshot: '', endedAt: null } })
  const later = new Date(Date.now() + 120_000)
  await strand()
  await settleLostCopies()
  expect(await newest()).toMatchObject({ state: 'running' })
  await db().job.update({ where: { id: jobId }, data: { endedAt: null, state: 'interrupted' } })
  await settleLostCopies(later)
  expect(await newest()).toMatchObject({ state: 'running' })
  await db().job.update({ where: { id: jobId }, data: { endedAt: new Date(), state: 'failed', problemSentence: 'The target is full.' } })
  await settleLostCopies(later)
  expect(await newest()).toMatchObject({ state: 'failed', problem: 'The target is full.' })
  await strand()
  await db().job.deleteMany()
  await settleLostCopies(later)
  expect(await newest()).toMatchObject({ state: 'unknown', problem: expect.stringContaining('Copy again') })
})

test('the backup of a server itself goes to the repository of its sites, and its row is of the server', async () => {
  await using scene = await openScene()
  const target = await scene.add(await scene.team.join('admin'), 'team')
  expect(await scene.copy(target.id)).toMatchObject({ ok: true })
  await expect.poll(() => listCopiesOfSite(scene.actor, scene.ofSite)).toMatchObject([{ newest: { state: 'done' } }])
  expect(await scene.copyServer(target.id)).toMatchObject({ ok: true })
  const copied = { state: 'done', backup: 'backup-2026-11-28-021400.tar.gz', bytes: 8192 }
  await expect
    .poll(() => listCopiesOfServer(scene.actor, scene.serverId))
    .toMatchObject([{ newest: copied, lastGood: copied, isSafe: false }])
  expect(await db().backupRepository.count()).toBe(1)
  expect(scene.sentOfServer()[0]).toEqual(scene.sent()[0])
  expect(await db().backupCopy.findMany({ where: { siteId: scene.serverId } })).toMatchObject([{ domain: '', sha256: 'd'.repeat(64) }])
  // Neither is among the copies of the other.
  expect((await listCopiesOfSite(scene.actor, scene.ofSite))[0]?.restorable).toHaveLength(1)
  const row = await db().auditRow.findFirstOrThrow({ where: { action: 'serverBackups.copy', stage: 'intent' } })
  expect(describeAction(row.action, JSON.parse(row.detail), 'done')).toBe('Copied the newest backup of the server itself to Copies')
})

test('the backup of a server goes to no target of a member, and not from a service that only a connection of a member lists', async () => {
  for (const own of [false, true]) {
    await using scene = await openScene({ own })
    const [ofTeam, theirs] = [await scene.add(await scene.team.join('admin'), 'team'), await scene.add(scene.actor, 'own')]
    expect(await scene.copyServer(theirs.id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(await scene.copyServer(ofTeam.id)).toMatchObject(own ? { ok: false, problem: { code: 'forbidden' } } : { ok: true })
    const refused = (await listCopiesOfServer(scene.actor, scene.serverId)).filter(({ refusal }) => refusal !== null)
    expect(refused.map(({ targetId }) => targetId).sort()).toEqual((own ? [ofTeam.id, theirs.id] : [theirs.id]).sort())
    const viewer = await scene.team.join('viewer')
    expect(await scene.copyServer(ofTeam.id, viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    await expect.poll(() => scene.sentOfServer().length).toBe(own ? 0 : 1)
  }
})

test('a server without a backup says so, and nothing is listed as copied', async () => {
  await using scene = await openScene()
  const target = await scene.add(await scene.team.join('admin'), 'team')
  if (scene.server) scene.server.backups = []
  expect(await scene.copyServer(target.id)).toMatchObject({ ok: true })
  await expect
    .poll(() => listCopiesOfServer(scene.actor, scene.serverId))
    .toMatchObject([{ newest: { state: 'failed', problem: expect.stringContaining('no backup yet') }, lastGood: null }])
})

test('copies elsewhere are told to nobody who may not list the backups they are of', async () => {
  await using scene = await openScene()
  await scene.add(await scene.team.join('admin'), 'team')
  const told = async () => [await listCopiesOfSite(scene.actor, scene.ofSite), await listCopiesOfServer(scene.actor, scene.serverId)]
  expect(await told()).toEqual([[expect.anything()], [expect.anything()]])
  await db().grant.updateMany({ data: { subjects: 'backups' } })
  expect(await told()).toEqual([[expect.anything()], []])
  await db().grant.updateMany({ data: { subjects: 'cron' } })
  expect(await told()).toEqual([[], []])
})
