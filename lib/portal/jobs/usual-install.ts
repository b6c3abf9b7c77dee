/** How long installs took so far, and their steps. */
import 'server-only'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { jobsVisibleTo } from './visible'

/** A step of an install as its lines name it, and how long it took. */
export type PastStep = { name: string; ms: number }

/** medianMs: of the newest `count` installs. steps: those of the newest one, in order; empty if its service named none. */
export type UsualInstall = { medianMs: number; count: number; steps: PastStep[] }

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
    select: { id: true, startedAt: true, endedAt: true },
    orderBy: { startedAt: 'desc' },
    take: newest,
  })
  const ended = jobs.flatMap(({ id, startedAt, endedAt }) => (endedAt === null ? [] : [{ id, startedAt, endedAt }]))
  const [last] = ended
  const medianMs = medianOf(ended.map(({ startedAt, endedAt }) => endedAt.getTime() - startedAt.getTime()))
  return last === undefined || medianMs === null ? null : { medianMs, count: ended.length, steps: await stepsOf(last) }
}

/** Each step lasts until the first line of the next one. */
async function stepsOf({ id, endedAt }: { id: string; endedAt: Date }): Promise<PastStep[]> {
  const begun = await db().jobEvent.groupBy({
    by: ['step'],
    where: { jobId: id, step: { not: '' } },
    _min: { seq: true, at: true },
    orderBy: { _min: { seq: 'asc' } },
  })
  return begun.map(({ step, _min: { at } }, index) => {
    const end = begun[index + 1]?._min.at ?? endedAt
    return { name: step, ms: at === null ? 0 : Math.max(0, end.getTime() - at.getTime()) }
  })
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other)
  const [below, above] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return below === undefined || above === undefined ? null : (below + above) / 2
}
