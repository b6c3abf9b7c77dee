/** How long installs took so far. */
import 'server-only'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { jobsVisibleTo } from './visible'

/** medianMs: of the newest `count` installs. */
export type UsualInstall = { medianMs: number; count: number }

const newest = 20

/**
 * Of the team's installs that succeeded and that the reader may see, on servers of the same provider: simulated ones take seconds. Null if
 * there are none.
 */
export async function findUsualInstall(actor: Actor, { provider }: { provider: string }): Promise<UsualInstall | null> {
  const jobs = await db().job.findMany({
    where: {
      AND: [
        await jobsVisibleTo(actor),
        { operation: contract.servers.install.id, state: 'done', endedAt: { not: null }, server: { provider } },
      ],
    },
    select: { startedAt: true, endedAt: true },
    orderBy: { startedAt: 'desc' },
    take: newest,
  })
  const took = jobs.flatMap(({ startedAt, endedAt }) => (endedAt === null ? [] : [endedAt.getTime() - startedAt.getTime()]))
  const medianMs = medianOf(took)
  return medianMs === null ? null : { medianMs, count: took.length }
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other)
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return below === undefined || above === undefined ? null : (below + above) / 2
}
