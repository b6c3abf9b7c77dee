/** One target of a batch: stored as begun before anything is sent, and settled once, also by a later process. */
import 'server-only'
import { isProblemCode, type Problem, problem, reasonOf } from '@/lib/contract/problem'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { processLease } from '@/lib/portal/base/portals/lease'
import type { Person } from '@/lib/portal/identity/actor'
import { waitForJob } from '@/lib/portal/jobs/wait'
import type { BatchTarget, BatchTargetState, JobState, Prisma } from '@/prisma/generated/portal/client'
import type { BatchKind } from './kinds'

/** Another process runs the batch now, so nothing more may be written. */
export class BatchLost extends Error {}

/** note: what to know about a target that is done. */
export type TargetEnd = { state: Exclude<BatchTargetState, 'running' | 'skipped'>; problem: Problem | null; note?: string }

const stateOfJob: Readonly<Record<JobState, TargetEnd['state']>> = {
  running: 'unknown',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'unknown',
  unknown: 'unknown',
}

/**
 * Begins the operation and waits for its end. The row says so first: whoever finds it like that knows that it may have been sent. follows:
 * another target of the same server or site is to begin after it.
 */
export async function performTarget(actor: Person, kind: BatchKind, target: BatchTarget, follows: boolean): Promise<TargetEnd> {
  await storeTarget(target, 'waiting', { state: 'running', startedAt: new Date() })
  const { requestId, batchId, name } = target
  // The user confirmed all targets, and who they are, when they started the batch.
  const options = { requestId, batchId, follows, confirmName: name, stepUp: async () => null }
  const begun = await kind.begin(actor, idsOf(target), readFields(target), options)
  if (!begun.ok) return endOf(begun.problem)
  const { jobId, note = '' } = begun.data
  return jobId === null ? { state: 'done', problem: null, note } : followJob(target, jobId)
}

/**
 * The end of a target that another process began, or this one before an error. `waiting` if certainly nothing was sent: a job's row comes
 * before its request, and the intent in the audit log before every other request.
 */
export async function settleTarget(kind: BatchKind, target: BatchTarget): Promise<TargetEnd> {
  const { requestId, jobId } = target
  const job = await db().job.findUnique({ where: { id: jobId ?? requestId }, select: { id: true } })
  if (job) return followJob(target, job.id)
  if (jobId !== null) return { state: 'unknown', problem: problem('outcome_unknown') }
  if (kind.operation.pace === 'slow' || kind.operation.effect === 'read') return waiting
  const rows = await db().auditRow.findMany({ where: { requestId, action: kind.operation.id }, orderBy: { seq: 'asc' } })
  const outcome = rows.findLast(({ stage }) => stage === 'outcome')
  if (outcome?.outcome === 'done') return { state: 'done', problem: null }
  if (outcome?.outcome === 'failed') {
    const { code } = readDetail(outcome.detail)
    return { state: 'failed', problem: problem(isProblemCode(code) ? code : 'upstream_failed') }
  }
  return rows.length === 0 ? waiting : { state: 'unknown', problem: problem('outcome_unknown') }
}

const waiting: TargetEnd = { state: 'waiting', problem: null }

/** Stores the end, or that the target has not begun after all. */
export function storeEnd(target: BatchTarget, { state, problem: why, note }: TargetEnd): Promise<void> {
  const sentence = why ? reasonOf(why) : note || null
  const times = state === 'waiting' ? { startedAt: null } : { endedAt: new Date() }
  return storeTarget(target, 'running', { state, ...times, problemCode: why?.code ?? null, problemSentence: sentence })
}

const endOf = (why: Problem): TargetEnd => ({ state: why.code === 'outcome_unknown' ? 'unknown' : 'failed', problem: why })

async function followJob(target: BatchTarget, jobId: string): Promise<TargetEnd> {
  await storeTarget(target, 'running', { jobId })
  const { state, problem: why } = await waitForJob(jobId)
  return { state: stateOfJob[state], problem: why }
}

async function storeTarget(
  { batchId, seq }: BatchTarget,
  from: BatchTargetState,
  data: Prisma.BatchTargetUncheckedUpdateManyInput,
): Promise<void> {
  const { count } = await db().batchTarget.updateMany({ where: { batchId, seq, state: from, batch: { lease: processLease() } }, data })
  if (count === 0) throw new BatchLost('Another process has taken this batch over.')
}

export const idsOf = ({ serverId, siteId }: BatchTarget) => ({ ...(serverId !== null && { serverId }), ...(siteId !== null && { siteId }) })

/** This process wrote them. */
const readFields = ({ fields }: BatchTarget): Record<string, string> => JSON.parse(fields)
