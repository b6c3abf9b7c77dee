/** The outcome of an attempt at a scheduled copy: done, retried later, or failed for this night. */
import 'server-only'
import { createHash } from 'node:crypto'
import { findServerMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
import { findPlanOf } from '@/lib/portal/subjects/backup-plans/plans'
import { readersOfCopies } from '@/lib/portal/subjects/backup-plans/raise-late'
import { forgetCopy } from '@/lib/portal/subjects/backup-targets/copy-job'
import type { NightCopy } from '@/prisma/generated/portal/client'

const minuteMs = 60_000
/** After the first, second and third attempt. */
export const pausesMs = [15 * minuteMs, 60 * minuteMs, 180 * minuteMs]
export const postponedMs = 5 * minuteMs
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
  const [job, copy] = await Promise.all([
    db().job.findUnique({ where: { id: row.jobId }, select: { state: true, endedAt: true, problemSentence: true } }),
    db().backupCopy.findUnique({ where: { id: row.jobId }, select: { state: true, problem: true } }),
  ])
  if (!job) {
    // One of the future was stored while the clock was wrong.
    if (Math.abs(now.getTime() - (row.startedAt?.getTime() ?? 0)) < unstartedMs) return true
    await forgetCopy(row.jobId)
    await postpone(row, now)
    return false
  }
  if (job.endedAt === null) return true
  if (copy?.state === 'done') await endAttempt(row, { state: 'done' }, now)
  else {
    const problem = copy?.problem || job.problemSentence || 'The outcome is unknown.'
    await endAttempt(row, { state: 'failed', problem, isLasting: job.state === 'cancelled' }, now)
  }
  return false
}

type AttemptEnd = { state: 'done' } | { state: 'failed'; problem: string; isLasting: boolean }

/** isLasting: whether another attempt in this night would fail too. */
export async function endAttempt(row: NightCopy, end: AttemptEnd, now: Date): Promise<void> {
  if (end.state === 'done') return void (await update(row, { state: 'done', problem: '' }))
  const pauseMs = end.isLasting ? undefined : pausesMs[row.attempts - 1]
  const { problem } = end
  if (pauseMs !== undefined) return void (await update(row, { state: 'waiting', dueAt: new Date(now.getTime() + pauseMs), problem }))
  if (await update(row, { state: 'failed', problem })) await notifyFailed(row, problem, now)
}

/** The attempt does not count, and is made again in five minutes. */
export async function postpone(row: NightCopy, now: Date): Promise<void> {
  await update(row, { state: 'waiting', attempts: row.attempts - 1, dueAt: new Date(now.getTime() + postponedMs) })
}

type Change = Partial<Pick<NightCopy, 'state' | 'attempts' | 'dueAt' | 'problem'>>

/** False if another portal did it. */
async function update({ siteId, night, jobId }: NightCopy, data: Change): Promise<boolean> {
  return (await db().nightCopy.updateMany({ where: { siteId, night, jobId, state: 'running' }, data })).count > 0
}

/** Once for each cause, until a copy of the server to that target succeeds: if the target is full, the copies of all sites of a server fail every night. */
async function notifyFailed({ siteId, serverId }: NightCopy, problem: string, now: Date): Promise<void> {
  const site = await db().site.findUnique({ where: { id: siteId }, include: { server: true } })
  const plan = site && (await findPlanOf(siteId))
  const target = plan?.targetId ? await db().backupTarget.findUnique({ where: { id: plan.targetId } }) : null
  if (!site || !target) return
  const good = await db().backupCopy.findFirst({
    where: { state: 'done', repository: { targetId: target.id, serverId } },
    orderBy: { startedAt: 'desc' },
    select: { id: true },
  })
  const cause = createHash('sha256').update(problem).digest('base64url').slice(0, 16)
  await notify({
    teamId: site.teamId,
    userIds: await findServerMembers(site.teamId, serverId, readersOfCopies),
    kind: 'copy_failed',
    onceKey: `copy_failed ${serverId} ${target.id} ${good?.id ?? 'never'} ${cause}`,
    subject: { kind: 'server', id: serverId },
    detail: { name: site.server?.name ?? '', label: target.label, why: problem.slice(0, 300) },
    at: now,
  })
}
