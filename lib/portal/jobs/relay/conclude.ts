/** Ends a job: what its subject makes of the end, the stored job, the audit log, and then the lists that show the result. */
import 'server-only'
import { isSlowSiteOperation } from '@/lib/contract'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { fenced } from '@/lib/portal/base/portals/shared'
import { checkNow } from '@/lib/portal/subjects/sampling/sampler'
import { refreshServers } from '@/lib/portal/subjects/servers/listing'
import { refreshSites } from '@/lib/portal/subjects/sites/listing'
import type { EndedJob } from '@/lib/portal/subjects/sites/slow-work'
import { settleUndos } from '@/lib/portal/subjects/undoable/kept'
import { findJobKind } from '../kinds'
import type { JobEnd, JobLog } from './job-log'
import { readBack } from './read-back'
import { recordEnd } from './record-end'

/** Whether ending such a job may call its service, which takes time. */
export function asksService(operation: string): boolean {
  const kind = findJobKind(operation)
  return kind?.conclude !== undefined || kind?.shown !== undefined
}

/** Once its service works on it: a site that is being created has a page from then on. */
export const noteBegun = (jobId: string, jobLog: JobLog): Promise<void> => fenced(jobLog.fence, () => begin(jobId, jobLog))

async function begin(jobId: string, jobLog: JobLog): Promise<void> {
  const job = await readEnded(jobId)
  const siteId = await attempt(jobId, job && findJobKind(job.row.operation)?.begun?.(job, () => jobLog.over))
  if (siteId) await attempt(jobId, jobLog.noteSite(siteId))
}

/** Nothing of it is stored once another process has taken the job over. */
export const concludeJob = (jobId: string, jobLog: JobLog, reported: JobEnd): Promise<void> =>
  fenced(jobLog.fence, () => conclude(jobId, jobLog, reported))

async function conclude(jobId: string, jobLog: JobLog, reported: JobEnd): Promise<void> {
  const job = await readEnded(jobId)
  const kind = job && findJobKind(job.row.operation)
  const given = (await attempt(jobId, job && kind?.shown && readBack(job, kind.shown, reported))) ?? reported
  const { end, ...findings } = (job && (await attempt(jobId, kind?.conclude?.(job, given)))) ?? { end: given }
  await jobLog.end(end, findings)
  await followEnd(jobId, end)
}

/**
 * What follows the stored end of a job. The outcome in the audit log says that nothing of it is missing, except what needs that outcome.
 * A later process may repeat it: then nothing happens twice.
 */
export async function followEnd(jobId: string, end: JobEnd): Promise<void> {
  const job = await readEnded(jobId)
  await attempt(jobId, job && settleUndos(job.row, undoStates[end.state]))
  await recordEnd({ jobId }, end)
  await attempt(jobId, job && findJobKind(job.row.operation)?.recorded?.(job, end))
}

/** Refreshes the lists and checks the server, so that the result, such as an installed server, appears without waiting for the next poll. */
export async function refreshAfter(jobId: string): Promise<void> {
  const job = await readEnded(jobId)
  if (!job?.connection) return
  // The job is over and stored. If storing a list fails now, the next poll stores it.
  await attempt(jobId, refreshServers(job.connection))
  if (isSlowSiteOperation(job.row.operation)) await attempt(jobId, refreshSites(job.connection))
  else if (job.row.serverId !== null) await attempt(jobId, checkNow(job.row.serverId))
}

/** What had been done is taken back by whoever cancelled it. */
const undoStates = { done: 'done', failed: 'failed', cancelled: 'failed', interrupted: 'open', unknown: 'open' } as const

async function readEnded(jobId: string): Promise<EndedJob | null> {
  const row = await db().job.findUnique({ where: { id: jobId } })
  const connection = row?.connectionId ? await db().connection.findUnique({ where: { id: row.connectionId } }) : null
  return row && { row, connection }
}

/** The end of a job is stored whatever fails besides. */
async function attempt<T>(jobId: string, doing: Promise<T> | null | undefined): Promise<T | undefined> {
  try {
    return (await doing) ?? undefined
  } catch (error) {
    log.warn({ err: error, jobId }, 'what follows the end of a job failed')
    return undefined
  }
}
