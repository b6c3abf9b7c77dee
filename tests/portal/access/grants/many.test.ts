/** Grants in a team with thousands of servers: nothing is cut off by the number of ids. */
import { expect, test } from 'vitest'
import { toColumns } from '@/lib/portal/access/grants/stored'
import { serversVisibleTo, sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { listJobs } from '@/lib/portal/jobs/view'
import { readCounts } from '@/lib/portal/views/home/counts'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const all = 10_000

async function addServers(teamId: string, connectionId: string): Promise<string[]> {
  const ids = Array.from({ length: all }, createOpaqueId)
  const now = new Date()
  const common = { teamId, origin: 'https://service.example', hostname: '', dns: '', listedAt: now }
  for (let at = 0; at < all; at += 2_000) {
    const some = ids.slice(at, at + 2_000)
    await db().server.createMany({ data: some.map((id) => ({ id, upstreamId: id, name: id, ...common })) })
    await db().serverOnConnection.createMany({ data: some.map((serverId) => ({ serverId, connectionId, provenAt: now })) })
  }
  return ids
}

/** Fifty grants over servers, and one over a label that 9,000 servers carry. */
async function giveMany({ user, team }: Person, ids: readonly string[]): Promise<void> {
  const given = { ...toColumns({ subjects: 'all', effects: ['read'], operations: [], root: false }), validFrom: new Date(0) }
  const give = (kind: 'server' | 'label', about: string) =>
    db().grant.create({ data: { id: createOpaqueId(), teamId: team.id, userId: user.id, ...given, scopes: { create: { kind, about } } } })
  for (const id of ids.slice(0, 50)) await give('server', id)
  await give('label', 'client')
  const labelled = ids.slice(1_000)
  for (let at = 0; at < labelled.length; at += 500) {
    const rows = labelled
      .slice(at, at + 500)
      .map((subjectId) => ({ teamId: team.id, subjectKind: 'server' as const, subjectId, name: 'client' }))
    await db().label.createMany({ data: rows })
  }
}

/** Jobs that have ended, the newest first, and one that runs. */
async function addJobs({ id: teamId }: { id: string }, serverIds: readonly string[]): Promise<void> {
  const now = Date.now()
  const rows = serverIds.map((serverId, index) => {
    const startedAt = new Date(now - index * 1_000)
    const state = index === serverIds.length - 1 ? ('running' as const) : ('done' as const)
    return {
      id: createOpaqueId(),
      teamId,
      operation: 'servers.reboot',
      serverId,
      targetName: serverId,
      state,
      lease: '',
      startedAt,
      heardAt: startedAt,
    }
  })
  for (let at = 0; at < rows.length; at += 500) await db().job.createMany({ data: rows.slice(at, at + 500) })
}

test(`a guest whose grants are over 9,050 of ${all} servers sees exactly these`, async () => {
  await using _portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const [owner, guest] = [await team.join('owner'), await team.join('guest')]
  const ids = await addServers(team.id, await team.connect(upstream))
  await giveMany(guest, ids)
  const counted = async (actor: Person) => db().server.count({ where: await serversVisibleTo(actor) })
  expect([await counted(owner), await counted(guest)]).toEqual([all, 9_050])
  expect(await db().site.count({ where: await sitesVisibleTo(guest) })).toBe(0)
  expect((await readCounts(guest)).servers).toBe(9_050)
  expect(await listJobs(guest)).toEqual([])
  const [first = '', second = ''] = [ids[0], ids[5_000]]
  // More of them out of sight than a list reads at once.
  await addJobs(team, [...Array.from({ length: 1_500 }, () => ids[500] ?? ''), first, second])
  expect((await listJobs(guest)).map(({ serverId, state }) => [serverId, state])).toEqual([
    [first, 'done'],
    [second, 'running'],
  ])
  expect([(await readCounts(guest)).running, (await readCounts(owner)).running]).toEqual([1, 1])
  expect((await listNotifications(guest)).items).toEqual([])
})
