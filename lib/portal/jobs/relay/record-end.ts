/** Logs the end of a job as an outcome of the user who started it. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { log } from '@/lib/log'
import { findServerMembers } from '@/lib/portal/access/server-members'
import { detailOfFailure } from '@/lib/portal/audit/detail'
import { type AuditEvent, recordOutcomeRow } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { countOperation } from '@/lib/portal/base/figures'
import { notify } from '@/lib/portal/notifications/notify'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import type { Job } from '@/prisma/generated/portal/client'
import type { JobEnd } from './job-log'

const outcomes = {
  done: 'done',
  failed: 'failed',
  interrupted: 'unknown',
  unknown: 'unknown',
  // The code of the problem tells it from a failure.
  cancelled: 'failed',
} as const satisfies Record<JobEnd['state'], AuditEvent['outcome']>

/** Writes the outcome entry for the job's intent, if it has none. */
export async function recordEnd({ jobId }: { jobId: string }, end: JobEnd): Promise<void> {
  const job = await db().job.findUnique({ where: { id: jobId } })
  if (!job) return
  countOperation(job.operation, outcomes[end.state])
  log.info({ jobId, operation: job.operation, state: end.state, problem: end.problem?.code ?? null }, 'job ended')
  if (job.connectionId) forgetListing(job.connectionId)
  if (end.state === 'failed' && job.batchId === null && !(await isPlanned(jobId))) await notifyFailed(job)
  const event: AuditEvent & { stage: 'outcome' } = {
    requestId: jobId,
    teamId: job.teamId,
    actor: job.startedById ? { kind: 'user', id: job.startedById, sessionId: null } : { kind: 'gatehouse' },
    action: job.operation,
    object: objectOf(job),
    connectionId: job.connectionId,
    stage: 'outcome',
    outcome: outcomes[end.state],
    detail: { name: job.targetName, ...detailOfFailure(end.problem), state: end.state },
  }
  await recordOutcomeRow(event, { once: true })
}

/** Failed scheduled copies are retried, and night-copies/end-attempt.ts notifies of the last attempt. */
const isPlanned = async (jobId: string): Promise<boolean> => (await db().nightCopy.count({ where: { jobId } })) > 0

/** As in the intent: a site that the job created was not there yet. */
const objectOf = ({ operation, siteId, serverId }: Job): AuditEvent['object'] =>
  findOperation(operation)?.path.includes('{site_id}') ? { kind: 'site', id: siteId } : { kind: 'server', id: serverId }

/** Tells those who see the server; for other work, whoever started it. A batch tells of all its jobs at its own end. */
async function notifyFailed({ id, teamId, serverId, startedById, operation, targetName }: Job): Promise<void> {
  await notify({
    teamId,
    userIds: serverId === null ? [startedById].filter((userId) => userId !== null) : await findServerMembers(teamId, serverId),
    kind: 'job_failed',
    onceKey: `job_failed ${id}`,
    subject: { kind: 'job', id },
    detail: { operation, name: targetName },
  })
}
