/** When backups of sites failed last: those that members started, and those of the night. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { siftJobs } from './visible'

const rememberedMs = 7 * 86_400_000

/** By site, and by server for nights: ms since 1970. Which sites a failed night left out is not known. */
export type FailedBackups = { sites: ReadonlyMap<string, number>; servers: ReadonlyMap<string, number> }

/** Of the last seven days, from the jobs that the actor may follow. */
export async function readFailedBackups(actor: Actor, now: number): Promise<FailedBackups> {
  const { where, keeps } = await siftJobs(actor)
  const failed = {
    operation: { in: [backups.create.id as string, nightly] },
    state: 'failed' as const,
    startedAt: { gt: new Date(now - rememberedMs) },
  }
  const rows = await db().job.groupBy({ by: ['operation', 'serverId', 'siteId'], where: { AND: [where, failed] }, _max: { endedAt: true } })
  const [sites, servers] = [new Map<string, number>(), new Map<string, number>()]
  for (const { _max: max, ...job } of rows) {
    const [of, id] = job.operation === nightly ? [servers, job.serverId] : [sites, job.siteId]
    if (id === null || max.endedAt === null || !keeps(job)) continue
    of.set(id, Math.max(of.get(id) ?? 0, max.endedAt.getTime()))
  }
  return { sites, servers }
}

const nightly = 'event.backup'
