/** Restoring a site from a copy at a backup target: what its service gets, what of that is written down, and who may. */
import { expect, test } from 'vitest'
import { readLive } from '@/lib/portal/approvals/live'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { startRestoreOfCopy } from '@/lib/portal/jobs/restore-copy'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { listCopiesOfSite } from '@/lib/portal/subjects/backup-targets/copies'
import { ensureRepository, openCopyFields } from '@/lib/portal/subjects/backup-targets/repository'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { approve, heldIdOf } from '../approvals/scene'

const domain = 'first.example'
const backup = `${domain}-20261128-021400-nightly.tar.zst`
const snapshot = 'b'.repeat(64)
const sha256 = 'c'.repeat(64)

/** keeper: of the target. own: the connection is the operator’s. */
async function openScene({ keeper = 'team', extensions = true, own = false } = {}) {
  const database = await openPortalDatabase()
  const [upstream, bucket] = [await startUpstream({ extensions }), await startBucketServer()]
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain })
  const team = await createTeam()
  const [actor, admin] = [await team.join('operator'), await team.join('admin')]
  await team.connect(upstream, own ? { ownerId: actor.user.id } : {})
  const { servers } = await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  expect(await addBackupTarget(inputOf(keeper === 'team' ? admin : actor, { ...bucket.fields, keeper }))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const repository = await ensureRepository(target, { id: servers[0]?.id ?? '', name: 'web-01' })
  const store = async (of: Partial<{ siteId: string; domain: string; state: 'done' | 'failed'; repositoryId: string }> = {}) => {
    const at = new Date()
    const data = {
      id: createOpaqueId(),
      repositoryId: repository.id,
      siteId,
      domain,
      state: 'done',
      backup,
      snapshot,
      bytes: 4096,
      sha256,
      ...of,
    } as const
    return (await db().backupCopy.create({ data: { ...data, startedAt: at, endedAt: at } })).id
  }
  const restore = (copyId: string, who: Person = actor, given: { confirmName?: string; backupFirst?: boolean } = {}) => {
    const { confirmName = domain, backupFirst = true } = given
    return startRestoreOfCopy(who, { siteId, copyId, backupFirst }, { requestId: createOpaqueId(), confirmName })
  }
  return {
    team,
    actor,
    admin,
    target,
    repository,
    store,
    restore,
    restorable: async (who: Person = actor) =>
      (await listCopiesOfSite(who, { id: siteId, domain, serverId: repository.serverId })).flatMap((copies) =>
        copies.restorable.map(({ id }) => id),
      ),
    restored: () => upstream.model.sites.get(upstreamId)?.restored,
    sent: () => upstream.callsTo('POST', `/sites/${upstreamId}/copies/restore`).map(({ fields }) => fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await bucket[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('the service gets the snapshot with the server key and the password, and neither of these is stored', async () => {
  await using scene = await openScene()
  const copyId = await scene.store()
  expect(await scene.restorable()).toEqual([copyId])
  expect(await scene.restore(copyId)).toMatchObject({ ok: true })
  await expect.poll(() => db().job.findFirst()).toMatchObject({ state: 'done', note: expect.stringContaining('replaced') })
  expect(scene.restored()).toEqual([{ name: backup, backedUpFirst: true }])
  const opened = await openCopyFields(scene.target, scene.repository)
  const [fields] = scene.sent()
  expect(Object.fromEntries(Object.entries(fields ?? {}).map(([key, value]) => [key, String(value)]))).toEqual({
    ...opened,
    snapshot,
    backup,
    sha256,
    backup_first: '1',
  })
  const rows = [await db().auditRow.findMany(), await db().job.findMany(), await db().jobEvent.findMany()]
  const written = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const secret of [opened?.password ?? '', 'canary-of-the-server-key', 'SERVERKEY', 'maintenance'])
    expect(written).not.toContain(secret)
  const row = await db().auditRow.findFirstOrThrow({ where: { action: 'copies.restore', stage: 'intent' } })
  expect(describeAction(row.action, JSON.parse(row.detail), 'done')).toBe('Restored the site from the copy in Copies')
})

test('without the typed domain nothing is restored, and no backup is made first unless it was requested', async () => {
  await using scene = await openScene()
  const copyId = await scene.store()
  expect(await scene.restore(copyId, scene.actor, { confirmName: 'other.example' })).toMatchObject({ ok: false })
  expect(scene.sent()).toEqual([])
  expect(await scene.restore(copyId, scene.actor, { backupFirst: false })).toMatchObject({ ok: true })
  await expect.poll(scene.restored).toEqual([{ name: backup, backedUpFirst: false }])
})

test('viewers may not; copies that failed, of another domain, and at the target of another member are not found', async () => {
  await using scene = await openScene({ keeper: 'own' })
  const copyId = await scene.store()
  const viewer = await scene.team.join('viewer')
  expect(await scene.restore(copyId, viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const others = [await scene.store({ state: 'failed' }), await scene.store({ domain: 'other.example' }), createOpaqueId(), '']
  for (const id of others) expect(await scene.restore(id)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  const operator = await scene.team.join('operator')
  expect(await scene.restore(copyId, operator)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await scene.restorable(operator)).toEqual([])
  expect(scene.sent()).toEqual([])
})

test('where restores need a second person, they see which copy it is, and the approval sends it', async () => {
  await using scene = await openScene()
  await db().team.update({ where: { id: scene.team.id }, data: { secondPersonFor: 'restore' } })
  const heldId = heldIdOf(await scene.restore(await scene.store()))
  expect(scene.sent()).toEqual([])
  expect(await readLive(scene.admin, heldId)).toMatchObject([{ label: 'Restored from', lines: [[{ text: backup }]] }, {}, {}, {}])
  const row = JSON.stringify(await db().heldRequest.findFirstOrThrow(), (_, value) => (typeof value === 'bigint' ? String(value) : value))
  for (const secret of ['canary-of-the-server-key', 'SERVERKEY']) expect(row).not.toContain(secret)
  expect(await approve(scene.admin, heldId)).toMatchObject({ ok: true })
  await expect.poll(() => scene.restored()).toEqual([{ name: backup, backedUpFirst: true }])
})

test('a site that is created again gets the copies of the one that is gone, for those who may download from its former server', async () => {
  await using scene = await openScene()
  const elsewhere = await ensureRepository(scene.target, { id: createOpaqueId(), name: 'lost' })
  const copyId = await scene.store({ siteId: createOpaqueId(), repositoryId: elsewhere.id })
  expect(await scene.restorable()).toEqual([copyId])
  await db().grantScope.updateMany({ data: { kind: 'server', about: scene.repository.serverId } })
  expect(await scene.restorable()).toEqual([])
  expect(await scene.restore(copyId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  await db().grantScope.updateMany({ data: { kind: 'everything', about: '' } })
  expect(await scene.restore(copyId)).toMatchObject({ ok: true })
  await expect.poll(() => scene.sent().length).toBe(1)
  expect(String(scene.sent()[0]?.folder)).toContain(elsewhere.id)
})

test('another server gets no password that opens the backups of the former server itself, unless whoever restores has the right to these', async () => {
  await using scene = await openScene()
  const former = createOpaqueId()
  const elsewhere = await ensureRepository(scene.target, { id: former, name: 'lost' })
  const copyId = await scene.store({ siteId: createOpaqueId(), repositoryId: elsewhere.id })
  // Of the site itself, before it was moved.
  const ownId = await scene.store({ repositoryId: elsewhere.id })
  await db().grant.updateMany({ data: { subjects: 'backups,sites' } })
  expect((await scene.restorable()).sort()).toEqual([copyId, ownId].sort())
  await scene.store({ siteId: former, domain: '', repositoryId: elsewhere.id })
  expect(await scene.restorable()).toEqual([])
  expect(await scene.restore(copyId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  // The server has its own password already.
  await scene.store({ siteId: scene.repository.serverId, domain: '' })
  const hereId = await scene.store()
  expect(await scene.restorable()).toEqual([hereId])
  await db().grant.updateMany({ data: { subjects: 'backups,sites,serverBackups' } })
  expect((await scene.restorable()).sort()).toEqual([copyId, ownId, hereId].sort())
})

test('a site without a domain has no copies of servers, which have none either', async () => {
  await using scene = await openScene()
  const lost = createOpaqueId()
  const elsewhere = await ensureRepository(scene.target, { id: lost, name: 'lost' })
  await scene.store({ siteId: lost, domain: '', repositoryId: elsewhere.id })
  const site = await db().site.findFirstOrThrow()
  expect((await listCopiesOfSite(scene.admin, { ...site, domain: '' })).flatMap(({ restorable }) => restorable)).toEqual([])
})

test('copies of a site that exists are listed for no other site, also not for one with the same domain', async () => {
  await using scene = await openScene()
  const { id: _, ...row } = await db().site.findFirstOrThrow()
  const other = await db().site.create({ data: { ...row, id: createOpaqueId(), upstreamId: 'other' } })
  const copyId = await scene.store({ siteId: other.id })
  expect(await scene.restore(copyId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
})

test('the keys of the team go to no service that only a connection of a member lists, and none without extensions is asked', async () => {
  {
    await using scene = await openScene({ own: true })
    expect(await scene.restore(await scene.store())).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(scene.sent()).toEqual([])
  }
  await using scene = await openScene({ extensions: false })
  expect(await scene.restore(await scene.store())).toMatchObject({ ok: false, problem: { code: 'not_built' } })
  expect(scene.sent()).toEqual([])
})

test('what was held is not sent once whoever asked may not restore that copy any more', async () => {
  await using scene = await openScene()
  await db().team.update({ where: { id: scene.team.id }, data: { secondPersonFor: 'restore' } })
  const elsewhere = await ensureRepository(scene.target, { id: createOpaqueId(), name: 'lost' })
  const ofGone = { siteId: createOpaqueId(), repositoryId: elsewhere.id }
  const heldId = heldIdOf(await scene.restore(await scene.store(ofGone)))
  await db().grantScope.updateMany({
    where: { grant: { userId: scene.actor.user.id } },
    data: { kind: 'server', about: scene.repository.serverId },
  })
  expect(await approve(scene.admin, heldId)).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(scene.sent()).toEqual([])
})
