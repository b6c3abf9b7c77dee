/** Starts the copies of a night, and then proofs of copies, as ordinary jobs: one for each server, and a few in all at a time. */
import 'server-only'
import { copies } from '@/lib/contract/operations/copies'
import type { Problem } from '@/lib/contract/problem'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findAbsentMember } from '@/lib/portal/identity/absent-member'
import type { Person } from '@/lib/portal/identity/actor'
import { refusePlace } from '@/lib/portal/subjects/backup-plans/find-place'
import { pausePlan } from '@/lib/portal/subjects/backup-plans/pause'
import { findPlanOf, placeOf, takesServers, targetRemoved } from '@/lib/portal/subjects/backup-plans/plans'
import { type CopySubject, subjectOfNight } from '@/lib/portal/subjects/backup-targets/subject'
import type { BackupPlan, BackupTarget, NightCopy } from '@/prisma/generated/portal/client'
import { startCopy } from '../make-copy'
import { startProof } from '../prove-copy'
import { endAttempt, postpone, settleRunning } from './end-attempt'

const atOnce = 4
/** Longer than any pause between two attempts: a time that is further away was stored while the clock was wrong. */
const furthestMs = 6 * 3_600_000
/** In one round, how many sites may turn out not to be copied after all. */
const maxSkipped = 200

/** lost: aborts when this portal no longer leads. */
export async function startDueCopies(now: Date, lost: AbortSignal): Promise<void> {
  const busy = await settleRunning(now)
  const isDue = { OR: [{ dueAt: { lte: now } }, { dueAt: { gt: new Date(now.getTime() + furthestMs) } }] }
  for (let skipped = 0; skipped < maxSkipped && busy.length < atOnce && !lost.aborted; ) {
    const where = { state: 'waiting', ...isDue, serverId: { notIn: busy } } as const
    const row = await db().nightCopy.findFirst({ where, orderBy: [{ copyId: 'asc' }, { dueAt: 'asc' }, { siteId: 'asc' }] })
    if (!row) return
    if (await startOne(row, now)) busy.push(row.serverId)
    else skipped += 1
  }
}

/** Whether an attempt began, whatever its outcome. */
async function startOne(row: NightCopy, now: Date): Promise<boolean> {
  const { siteId, night, copyId, jobId: former } = row
  const subject = subjectOfNight(row)
  const planned = await resolvePlan(subject)
  if (!planned) {
    await db().nightCopy.deleteMany({ where: { siteId, night, state: 'waiting' } })
    return false
  }
  const { plan, author, target } = planned
  const [jobId, attempts, { limitKb }] = [createOpaqueId(), row.attempts + 1, plan]
  const begun = { state: 'running', jobId, attempts, startedAt: now, limitKb } as const
  const taken = await db().nightCopy.updateMany({ where: { siteId, night, state: 'waiting', jobId: former }, data: begun })
  if (taken.count === 0) return false
  const options = { requestId: jobId, planned: true } as const
  const started =
    copyId === ''
      ? await startCopy(author, { subject, targetId: target.id, limitKb }, options)
      : await startProof(author, { siteId, copyId }, options)
  if (!started.ok) await endRefused({ ...row, ...begun }, started.problem, { plan, now })
  return true
}

type Planned = { plan: BackupPlan; author: Person; target: BackupTarget }

/** Null if the site or server is not copied after all. A schedule that no longer works is paused. */
async function resolvePlan(subject: CopySubject): Promise<Planned | null> {
  const plan = await findPlanOf(subject)
  if (!plan || plan.excluded || plan.pausedBecause !== '') return null
  const target = plan.targetId === null ? null : await db().backupTarget.findUnique({ where: { id: plan.targetId } })
  if (subject.kind === 'server' && target && !takesServers(target)) return null
  const author = plan.setById === null ? null : await findAbsentMember(plan.teamId, plan.setById)
  if (!target) await pausePlan(plan, targetRemoved)
  else if (target.frozenAt !== null) await pausePlan(plan, 'Its backup target is frozen. Choose another one.')
  else if (!author) await pausePlan(plan, 'The member who set it is disabled or left the team. Set it again.')
  else if (!mayRun(author.role, copies.make.effect)) await pausePlan(plan, roleGone(author))
  else if ((await refusePlace(author, placeOf(plan))) !== null) await pausePlan(plan, accessGone(author))
  else return { plan, author, target }
  return null
}

const roleGone = ({ user }: Person): string => `The role of ${user.name}, who set it, no longer allows copies. Another member can set it.`

const accessGone = ({ user }: Person): string =>
  `The access of ${user.name}, who set it, no longer includes this schedule. Another member can set it.`

/** Without the rights of the member who set it, another attempt would fail too; other reasons may be gone by then. */
async function endRefused(row: NightCopy, refusal: Problem, { plan, now }: { plan: BackupPlan; now: Date }): Promise<void> {
  // Other work on it is running.
  if (refusal.code === 'busy') return postpone(row, now)
  // The copy was deleted, or cannot be read by whoever set the schedule: another one is proven next week.
  if (row.copyId !== '' && refusal.code === 'not_found') return endAttempt(row, { state: 'done' }, now)
  const isRight = refusal.code === 'forbidden' || refusal.code === 'not_found'
  const isLasting = isRight || refusal.code === 'not_built'
  const sentence = isRight
    ? `The member who set the schedule may not copy this ${subjectOfNight(row).kind} there. ${refusal.sentence}`
    : refusal.sentence
  if (isLasting && plan.siteId !== null && row.copyId === '') await pausePlan(plan, sentence)
  await endAttempt(row, { state: 'failed', problem: sentence, isLasting }, now)
}
