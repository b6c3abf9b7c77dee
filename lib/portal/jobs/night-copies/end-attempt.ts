/** The outcome of an attempt at a scheduled copy, or at the proof of one: done, retried later, or failed for this night. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { forgetCopy } from '@/lib/portal/subjects/backup-targets/copy-job'
import type { Job, NightCopy } from '@/prisma/generated/portal/client'
import { notifyFailed, notifyUnproven } from './notify-failed'

const minuteMs = 60_000
/** After the first, second and third attempt. */
export const pausesMs = [15 * minuteMs, 60 * minuteMs, 180 * minuteMs]
export const postponedMs = 5 * minuteMs
/** Of a proof that would have hurt the server. */
const laterMs = 60 * minuteMs
/** After this, a claimed attempt without a job is taken back: its portal was stopped before it started the job. */
const unstartedMs = 5 * minuteMs

/** Records the outcomes of attempts that have ended. Returns the servers on which a scheduled copy still runs. */
export async function settleRunning(now: Date): Promise<string[]> {
  const running = await db().nightCopy.findMany({ where: { state: 'running' } })
  const busy: string[] = []
  for (const row of running) if (await isRunning(row, now)) busy.push(row.serverId)
  return busy
}

async function isRunning(row: NightCopy, now: Date): Promise<boolean> {
  const job = await db().job.findUnique({ where: { id: row.jobId }, select: { state: true, endedAt: true, problemSentence: true } })
  if (!job) {
    // One of the future was stored while the clock was wrong.
    if (Math.abs(now.getTime() - (row.startedAt?.getTime() ?? 0)) < unstartedMs) return true
    await forgetCopy(row.jobId)
    await postpone(row, now)
    return false
  }
  if (job.endedAt === null) return true
  if (row.copyId !== '') {
    await endProof(row, job, now)
    return false
  }
  const copy = await db().backupCopy.findUnique({ where: { id: row.jobId }, select: { state: true, problem: true } })
  if (copy?.state === 'done') await endAttempt(row, { state: 'done' }, now)
  else {
    const problem = copy?.problem || job.problemSentence || 'The outcome is unknown.'
    await endAttempt(row, { state: 'failed', problem, isLasting: job.state === 'cancelled' }, now)
  }
  return false
}

/** A copy that is bad is reported at once; one that could not be read is tried again. */
async function endProof(row: NightCopy, job: Pick<Job, 'state' | 'problemSentence'>, now: Date): Promise<void> {
  const copy = await db().backupCopy.findFirst({ where: { id: row.copyId, proofJobId: row.jobId } })
  if (copy?.proof === 'postponed') return postpone(row, now, laterMs)
  // Another proof may have begun since. A job is done only if its own was good.
  if (job.state === 'done' && (!copy || copy.proof === 'good')) return endAttempt(row, { state: 'done' }, now)
  const isLasting = !copy || copy.proof === 'bad' || job.state === 'cancelled'
  return endAttempt(row, { state: 'failed', problem: job.problemSentence || 'The outcome is unknown.', isLasting }, now)
}

type AttemptEnd = { state: 'done' } | { state: 'failed'; problem: string; isLasting: boolean }

/** isLasting: whether another attempt in this night would fail too. */
export async function endAttempt(row: NightCopy, end: AttemptEnd, now: Date): Promise<void> {
  if (end.state === 'done') return void (await update(row, { state: 'done', problem: '' }))
  const pauseMs = end.isLasting ? undefined : pausesMs[row.attempts - 1]
  const { problem } = end
  if (pauseMs !== undefined) return void (await update(row, { state: 'waiting', dueAt: new Date(now.getTime() + pauseMs), problem }))
  if (await update(row, { state: 'failed', problem })) await (row.copyId === '' ? notifyFailed : notifyUnproven)(row, problem, now)
}

/** The attempt does not count, and is made again later. */
export async function postpone(row: NightCopy, now: Date, pauseMs = postponedMs): Promise<void> {
  await update(row, { state: 'waiting', attempts: row.attempts - 1, dueAt: new Date(now.getTime() + pauseMs) })
}

type Change = Partial<Pick<NightCopy, 'state' | 'attempts' | 'dueAt' | 'problem'>>

/** False if another portal did it. */
async function update({ siteId, night, jobId }: NightCopy, data: Change): Promise<boolean> {
  return (await db().nightCopy.updateMany({ where: { siteId, night, jobId, state: 'running' }, data })).count > 0
}
