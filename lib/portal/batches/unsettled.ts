/** Batches with targets that failed, or whose outcome is unknown, and that nobody has tried again since. */
import 'server-only'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { siftJobs } from '@/lib/portal/jobs/visible'
import type { Prisma } from '@/prisma/generated/portal/client'
import { findBatchKind } from './kinds'
import { nameOfTarget } from './title'
import type { BatchSummary } from './view'
import { siftTargets } from './visible'

/** failed, unknown: how many targets are left in this state. first: a failed one and its reason, or null. */
export type UnsettledBatch = { batch: BatchSummary; failed: number; unknown: number; first: { name: string; reason: string } | null }

const include = {
  batch: { select: { operation: true, startedAt: true } },
  server: { select: { state: true } },
  site: { select: { serverId: true } },
} as const
type Target = Prisma.BatchTargetGetPayload<{ include: typeof include }>

/** Of these batches, which the actor sees, those that ended after `since` (ms since 1970). What became of a server or site that is gone is settled. */
export async function listUnsettledBatches(actor: Actor, since: number, batches: readonly BatchSummary[]): Promise<UnsettledBatch[]> {
  const ended = batches.filter(
    ({ endedAt, counts }) => endedAt !== null && Date.parse(endedAt) >= since && counts.failed + counts.unknown > 0,
  )
  if (ended.length === 0) return []
  const lost = { batchId: { in: ended.map(({ id }) => id) }, state: { in: ['failed', 'unknown'] satisfies Target['state'][] } }
  const rows = await readTargets(actor, lost)
  const left = await withoutLaterAttempts(
    actor,
    rows.filter((row) => workOf(row) !== null && !isInstalled(row)),
  )
  return ended.flatMap((batch) => {
    const mine = left.filter(({ batchId }) => batchId === batch.id)
    const failed = mine.filter(({ state }) => state === 'failed')
    const [first = null] = failed
    const named = first && { name: nameOfTarget(batch.operation, first), reason: first.problemSentence ?? '' }
    return mine.length === 0 ? [] : [{ batch, failed: failed.length, unknown: mine.length - failed.length, first: named }]
  })
}

/** Those that match and that the actor sees. */
async function readTargets(actor: Actor, matching: Prisma.BatchTargetWhereInput): Promise<Target[]> {
  const { where, keeps } = await siftTargets(actor)
  const rows = await db().batchTarget.findMany({ where: { AND: [matching, where] }, include, orderBy: { seq: 'asc' } })
  return rows.filter((row) => keeps(row.batch.operation, row))
}

async function readJobs(actor: Actor, matching: Prisma.JobWhereInput) {
  const { where, keeps } = await siftJobs(actor)
  return (await db().job.findMany({ where: { AND: [matching, where] } })).filter(keeps)
}

const isInstalled = ({ batch, server }: Target): boolean => batch.operation === contract.servers.install.id && server?.state === 'ready'

type Work = Pick<Target, 'siteId' | 'serverId' | 'fields'> & { batch: { operation: string } }

/** The same for two attempts of the same work; null if its server or site is gone. */
function workOf({ batch: { operation }, siteId, serverId, fields }: Work): string | null {
  const kind = findBatchKind(operation)
  const id = kind?.targets === 'site' ? siteId : serverId
  return id === null ? null : `${operation} ${id} ${kind?.nameOf ? fields : ''}`
}

async function withoutLaterAttempts(actor: Actor, rows: readonly Target[]): Promise<Target[]> {
  const operation = { in: [...new Set(rows.map(({ batch }) => batch.operation))] }
  const where = {
    OR: [
      { siteId: { in: present(rows.map(({ siteId }) => siteId)) } },
      { serverId: { in: present(rows.map(({ serverId }) => serverId)) } },
    ],
  }
  const begun = { startedAt: { not: null }, batch: { operation } }
  const [targets, jobs] = await Promise.all([
    readTargets(actor, { AND: [begun, where] }),
    readJobs(actor, { AND: [{ operation, batchId: null }, where] }),
  ])
  const newest = new Map<string, number>()
  const note = (work: string | null, at: Date | null) => {
    if (work !== null && at !== null) newest.set(work, Math.max(newest.get(work) ?? 0, at.getTime()))
  }
  for (const target of targets) note(workOf(target), target.startedAt)
  for (const { operation: id, siteId, serverId, startedAt } of jobs)
    note(workOf({ batch: { operation: id }, siteId, serverId, fields: '' }), startedAt)
  return rows.filter((row) => ((row.startedAt ?? row.endedAt)?.getTime() ?? 0) >= (newest.get(workOf(row) ?? '') ?? 0))
}

const present = (ids: readonly (string | null)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))]
