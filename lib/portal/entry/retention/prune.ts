/** Deletes old data: the lines of jobs, then the jobs and batches, and stored undos. Never the audit log. */
import 'server-only'
import { type AuditActor, recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'

const day = 24 * 60 * 60_000

/** Milliseconds. Running jobs are never deleted, however old. */
const keptMs = { lines: 180 * day, jobs: 365 * day, undos: 30 * day }

// Small enough that waiting writes are hardly delayed.
const atOnce = 200

export type Pruned = { lines: number; jobs: number; undos: number }

/** Deletes data past its retention period and logs one entry if there was any. Safe while the portal runs. */
export async function prune(actor: AuditActor, now = new Date()): Promise<Pruned> {
  const pruned: Pruned = {
    lines: await pruneLines(before(now, keptMs.lines)),
    jobs: await pruneJobs(before(now, keptMs.jobs)),
    undos: await pruneUndos(before(now, keptMs.undos)),
  }
  if (pruned.lines + pruned.jobs + pruned.undos > 0) {
    const object = { kind: 'portal' as const, id: null }
    await recordAudit({ teamId: null, actor, action: 'retention.prune', object, stage: 'event', outcome: 'done', detail: pruned })
  }
  return pruned
}

const before = (now: Date, ms: number) => ({ lt: new Date(now.getTime() - ms) })

/** Deletes all lines of a job together, once the job ended long enough ago. */
async function pruneLines(endedAt: { lt: Date }): Promise<number> {
  let gone = 0
  for (;;) {
    const jobs = await db().job.findMany({ where: { endedAt, events: { some: {} } }, select: { id: true }, take: atOnce })
    if (jobs.length === 0) return gone
    for (const { id } of jobs) gone += (await db().jobEvent.deleteMany({ where: { jobId: id } })).count
  }
}

/** Returns how many jobs and batches were deleted. */
async function pruneJobs(endedAt: { lt: Date }): Promise<number> {
  let { count: gone } = await db().batch.deleteMany({ where: { endedAt } })
  for (;;) {
    const jobs = await db().job.findMany({ where: { endedAt }, select: { id: true }, take: atOnce })
    if (jobs.length === 0) return gone
    gone += (await db().job.deleteMany({ where: { id: { in: jobs.map(({ id }) => id) } } })).count
  }
}

/** A used undo only records who used it, so it stays as long as the audit log. */
async function pruneUndos(createdAt: { lt: Date }): Promise<number> {
  return (await db().undo.deleteMany({ where: { createdAt, usedAt: null } })).count
}
