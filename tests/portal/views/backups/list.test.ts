/** The backups of all sites: what is read from jobs and copies, and what which member learns of it. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { composeCopyQuery } from '@/lib/portal/base/sql/copies'
import type { Actor } from '@/lib/portal/identity/actor'
import { answerBackupsSince, findKnownBackups, listBackups } from '@/lib/portal/views/backups/list'
import { Prisma } from '@/prisma/generated/portal/client'
import { give, openScene } from '@/tests/portal/access/grants/scene'

const now = Date.now()
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000)

type Scene = Awaited<ReturnType<typeof openScene>>

async function job(
  { team }: Scene,
  operation: string,
  at: Date,
  on: { serverId?: string; siteId?: string },
  state: 'failed' | 'done' = 'failed',
) {
  const about = { teamId: team.id, operation, targetName: 'x', lease: '', state, ...on }
  await db().job.create({ data: { id: createOpaqueId(), ...about, startedAt: at, heardAt: at, endedAt: at } })
}

async function target({ team }: Scene, label: string, ownerId: string | null, serverId: string, confirmed = true) {
  const [id, repositoryId] = [createOpaqueId(), createOpaqueId()]
  const sealed = { sealed: new Uint8Array(), kekId: '' }
  const about = { teamId: team.id, ownerId, label, kind: 's3', address: '{}', secretVersion: 1, checkedAt: new Date() } as const
  await db().backupTarget.create({ data: { id, ...about, ...sealed } })
  const kitConfirmedAt = confirmed ? new Date() : null
  await db().backupRepository.create({
    data: { id: repositoryId, targetId: id, serverId, serverName: 'heron-1', kitConfirmedAt, ...sealed },
  })
  return (siteId: string, domain: string, startedAt: Date, state: 'done' | 'failed' = 'done') =>
    db().backupCopy.create({ data: { id: createOpaqueId(), repositoryId, siteId, domain, state, startedAt } })
}

const linesOf = async (actor: Actor) =>
  new Map((await listBackups(actor, now)).backups.map(({ domain, ...line }) => [domain, line] as const))

async function backedUp(scene: Scene, domain: string, at: Date) {
  const id = scene.idOf(domain)
  const { details } = await db().site.findUniqueOrThrow({ where: { id } })
  await db().site.update({
    where: { id },
    data: { details: JSON.stringify({ ...JSON.parse(details || '{}'), backupAt: at.toISOString() }) },
  })
}

const knownOf = async (actor: Actor) =>
  new Map(((await findKnownBackups(actor, now))?.backups ?? []).map(({ domain, ...line }) => [domain, line] as const))

test('an attempt that failed counts until a newer backup; a night that failed only where it left no backup', async () => {
  await using scene = await openScene()
  const [shop, blog] = ['shop.heron.example', 'blog.heron.example']
  await backedUp(scene, shop, hoursAgo(3))
  await backedUp(scene, blog, hoursAgo(30))
  await job(scene, 'event.backup', hoursAgo(2), { serverId: scene.idOf('heron-1') })
  await job(scene, 'backups.create', hoursAgo(4), { siteId: scene.idOf(shop) })
  await job(scene, 'backups.create', hoursAgo(1), { siteId: scene.idOf(blog) }, 'done')
  const known = await knownOf(scene.owner)
  expect([known.get(shop)?.failedAt, known.get(blog)?.failedAt]).toEqual(['', hoursAgo(2).toISOString()])
  await job(scene, 'backups.create', hoursAgo(1), { siteId: scene.idOf(shop) })
  expect((await knownOf(scene.owner)).get(shop)?.failedAt).toBe(hoursAgo(1).toISOString())
})

test('a site has the newest complete copy of each target, and of a deleted site only those are left', async () => {
  await using scene = await openScene()
  const [shop, heron] = ['shop.heron.example', scene.idOf('heron-1')]
  const paris = await target(scene, 'Paris', null, heron)
  const oslo = await target(scene, 'Oslo', null, heron, false)
  for (const hours of [9, 5, 7]) await paris(scene.idOf(shop), shop, hoursAgo(hours))
  await paris(scene.idOf(shop), shop, hoursAgo(1), 'failed')
  await oslo(scene.idOf(shop), shop, hoursAgo(6))
  await paris(createOpaqueId(), 'gone.example', hoursAgo(400))
  // The size is that of the newest copy, and a proof counts for the target.
  await db().backupCopy.updateMany({ where: { startedAt: hoursAgo(9) }, data: { bytes: 99, badAt: hoursAgo(8) } })
  await db().backupCopy.updateMany({ where: { startedAt: hoursAgo(5) }, data: { bytes: 55, provenAt: hoursAgo(4) } })
  await db().backupCopy.updateMany({ where: { startedAt: hoursAgo(6) }, data: { provenAt: hoursAgo(5), badAt: hoursAgo(3) } })
  const lines = await linesOf(scene.owner)
  expect(lines.get(shop)).toMatchObject({
    copyFailedAt: hoursAgo(1).toISOString(),
    copies: [
      { target: 'Oslo', at: hoursAgo(6).toISOString(), isSafe: false, bytes: 0, proven: 'bad' },
      { target: 'Paris', at: hoursAgo(5).toISOString(), isSafe: true, bytes: 55, proven: hoursAgo(4).toISOString() },
    ],
  })
  expect(lines.get('gone.example')).toMatchObject({
    gone: true,
    server: 'heron-1',
    backupAt: '',
    copies: [{ target: 'Paris', at: hoursAgo(400).toISOString(), isSafe: true, bytes: 0, proven: '' }],
  })
  const list = await listBackups(scene.owner, now)
  const { version } = JSON.parse(await answerBackupsSince(list, null))
  expect(JSON.parse(await answerBackupsSince(list, version))).toEqual({ version, same: true })
})

test('a server itself is listed once its backup was copied, with its newest nightly backup; one that is gone has only its copies', async () => {
  await using scene = await openScene()
  const heron = scene.idOf('heron-1')
  const paris = await target(scene, 'Paris', null, heron)
  await paris(scene.idOf('shop.heron.example'), 'shop.heron.example', hoursAgo(5))
  await job(scene, 'event.backup', hoursAgo(6), { serverId: heron }, 'done')
  await job(scene, 'event.backup', hoursAgo(3), { serverId: heron })
  const ofServers = async (actor: Actor) => (await listBackups(actor, now)).backups.filter(({ of }) => of === 'server')
  expect(await ofServers(scene.owner)).toEqual([])
  await paris(heron, '', hoursAgo(4))
  await paris(heron, '', hoursAgo(2), 'failed')
  const there = { id: heron, domain: 'heron-1', serverId: heron, gone: false, backupAt: hoursAgo(6).toISOString() }
  expect(await ofServers(scene.owner)).toMatchObject([
    {
      ...there,
      failedAt: hoursAgo(3).toISOString(),
      copyFailedAt: hoursAgo(2).toISOString(),
      copies: [{ target: 'Paris', at: hoursAgo(4).toISOString() }],
    },
  ])
  expect(await ofServers(await scene.team.join('guest'))).toEqual([])
  await db().server.update({ where: { id: heron }, data: { goneAt: new Date() } })
  expect(await ofServers(scene.owner)).toMatchObject([{ id: heron, gone: true, serverId: null, backupAt: '', failedAt: '' }])
})

test('a member sees copies only where they may list backups, and no target of another member', async () => {
  await using scene = await openScene()
  const [shop, otter, heron] = ['shop.heron.example', 'shop.otter.example', scene.idOf('heron-1')]
  const [admin, operator, guest] = [await scene.team.join('admin'), await scene.team.join('operator'), await scene.team.join('guest')]
  const own = await target(scene, 'Private', admin.user.id, heron)
  const team = await target(scene, 'Paris', null, heron)
  const gone = createOpaqueId()
  await own(scene.idOf(shop), shop, hoursAgo(5))
  await own(gone, 'private.example', hoursAgo(50))
  await team(scene.idOf(otter), otter, hoursAgo(5))
  const targetsOf = async (actor: Actor, domain: string) => (await linesOf(actor)).get(domain)?.copies?.map((copy) => copy.target)
  expect(await targetsOf(admin, shop)).toEqual(['Private'])
  expect(await targetsOf(operator, shop)).toEqual([])
  expect([...(await linesOf(admin)).keys()]).toContain('private.example')
  // The owner governs what admins keep, but what they copied there is theirs.
  expect([...(await linesOf(scene.owner)).keys()]).not.toContain('private.example')
  expect([...(await linesOf(guest)).keys()]).toEqual([])
  await give(guest, { kind: 'site', id: scene.idOf(otter) })
  const [line, ...others] = (await linesOf(guest)).entries()
  expect([line?.[0], line?.[1].copies, others]).toEqual([otter, null, []])
})

test('the newest copies are read from one index, without looking up any of a hundred thousand rows', async () => {
  await using _ = await openScene()
  const steps = await db().$queryRaw<{ detail: string }[]>(Prisma.sql`EXPLAIN QUERY PLAN ${composeCopyQuery(['near', 'far'])}`)
  const searches = steps.map(({ detail }) => detail).filter((detail) => /BackupCopy_|newest USING/.test(detail))
  expect(searches).toEqual([
    'SEARCH BackupCopy USING COVERING INDEX BackupCopy_newest_idx (repositoryId=?)',
    expect.stringContaining('SEARCH newest USING COVERING INDEX BackupCopy_newest_idx (repositoryId=? AND siteId=? AND state=?'),
  ])
})
