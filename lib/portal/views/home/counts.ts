/** The counts on every page: the number of servers, of sites and of running jobs. */
import 'server-only'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import { listListingConnections } from '@/lib/portal/access/connections'
import { namesMany } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { findSight, serversListedFor, serversVisibleTo, sitesListedFor, sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { batchesVisibleTo } from '@/lib/portal/batches/visible'
import type { Actor } from '@/lib/portal/identity/actor'
import { siftJobs } from '@/lib/portal/jobs/visible'
import { refreshSites } from '@/lib/portal/subjects/sites/listing'
import { findKnownProblem } from './known-problem'

/** running: jobs and batches; the jobs of a batch count as one. */
export type Counts = { servers: number; sites: number; running: number }

// Sites change less often than servers, and a service may need long for thousands of them.
const sitesEveryMs = 60_000

/** Counted in the database. Services are called in the background, servers at most every 15 s, so that every page shows changes there. */
export async function readCounts(actor: Actor): Promise<Counts> {
  for (const connection of await listListingConnections(actor)) {
    void findKnownProblem(connection, 0)
    refreshSites(connection, sitesEveryMs).catch(() => undefined)
  }
  return cachedForActor(actor, 'counts', async () => {
    const [servers, sites, running] = await Promise.all([countServers(actor), countSites(actor), countRunning(actor)])
    return { servers, sites, running }
  })
}

async function countServers(actor: Actor): Promise<number> {
  const { seen } = await rightOf(actor)
  if (seen.everything || !namesMany([seen])) return db().server.count({ where: await serversVisibleTo(actor) })
  const rows = await db().server.findMany({ where: await serversListedFor(actor), select: { id: true } })
  return rows.filter(({ id }) => seen.servers.has(id)).length
}

async function countSites(actor: Actor): Promise<number> {
  const [{ seen }, sees] = [await rightOf(actor), await findSight(actor)]
  if (seen.everything || !namesMany([seen])) return db().site.count({ where: await sitesVisibleTo(actor) })
  const rows = await db().site.findMany({ where: await sitesListedFor(actor), select: { id: true, serverId: true } })
  return rows.filter(({ id, serverId }) => sees({ kind: 'site', siteId: id, serverId })).length
}

async function countRunning(actor: Actor): Promise<number> {
  const running = { state: 'running' as const, batchId: null }
  const [{ where, keeps }, batches] = await Promise.all([siftJobs(actor), countRunningBatches(actor)])
  const jobs = await db().job.findMany({
    where: { AND: [where, running] },
    select: { operation: true, serverId: true, siteId: true },
  })
  return jobs.filter(keeps).length + batches
}

async function countRunningBatches(actor: Actor): Promise<number> {
  const running = { teamId: actor.team.id, endedAt: null }
  // Mostly there is none, which is known sooner than what the actor sees.
  if ((await db().batch.findFirst({ where: running, select: { id: true } })) === null) return 0
  return db().batch.count({ where: { AND: [running, await batchesVisibleTo(actor)] } })
}
