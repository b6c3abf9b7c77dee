/** Deletes a cron job or replaces it, but never any other job than the one the user saw. */
import 'server-only'
import { cron } from '@/lib/contract/operations/cron'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { canBeSaved } from '@/lib/crontab/line'
import { decide } from '@/lib/portal/access/decide'
import { findDescription, findLastChange } from '@/lib/portal/audit/last-change'
import type { Actor } from '@/lib/portal/identity/actor'
import { showBidiControls } from '@/lib/text/bidi'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { type Kept, kept } from '../undoable/kind'
import { onServer } from '../undoable/subject'
import { type CronJob, describeJob, fieldsOf, isSameJob, type JobFields } from './job'
import { nearJob } from './place'
import type { Change } from './save'
import { undoJobDelete, undoJobReplace } from './undo-kinds'

const members = ['user', 'minute', 'hour', 'dom', 'mon', 'dow', 'command'] as const

const isSeen = (seen: CronJob) => (job: CronJob) => members.every((name) => job[name] === seen[name])

/** The current jobs, and the one that the user saw. A problem if it is gone or the list cannot be read. */
async function findSeen(actor: Actor, serverId: string, seen: CronJob): Promise<Outcome<{ job: CronJob; jobs: readonly CronJob[] }>> {
  const listed = await runOperation(actor, cron.list, { serverId })
  if (!listed.ok) return listed
  const jobs = listed.data.cronjobs
  const same = jobs.filter(isSeen(seen))
  const job = same.find(({ line }) => line === seen.line) ?? same[0]
  return job ? { ok: true, data: { job, jobs } } : { ok: false, problem: await formatGone(actor, serverId, seen) }
}

/** Deletes a job. Reads the list first: if a service's `line` is a position, another job may be there by now. */
export function removeJob(actor: Actor, change: Change, seen: CronJob): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  return undoableChange(actor, onServer(change), {
    operation: cron.delete,
    read: () => findSeen(actor, serverId, seen),
    inverse({ job, jobs }) {
      // Of two identical jobs one remains, next to which the deleted one could not be saved again.
      const last = jobs.filter((other) => isSameJob(other, job)).length === 1
      return last && canBeSaved(job) ? kept(undoJobDelete, { job: fieldsOf(job), before: nearJob(job, jobs) }) : null
    },
    run: ({ job }) => runOperation(actor, cron.delete, { serverId }, { line: job.line }, { requestId, about: describeJob(job) }),
  })
}

/** Saves the new job before it deletes the old one, so that one of them always exists. */
export async function replaceJob(actor: Actor, change: Change, seen: CronJob, next: JobFields): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  // A service would not add an identical job, and deleting the old one would remove both.
  if (isSameJob(seen, next)) {
    const may = await decide(actor, cron.delete, { serverId })
    return may.ok ? { ok: true, data: { undo: null } } : may
  }
  const saved = await undoableChange(actor, onServer(change), {
    operation: cron.delete,
    read: () => findSeen(actor, serverId, seen),
    inverse: ({ job, jobs }) => inverseOf(job, fieldsOf(next), jobs),
    run: () => runOperation(actor, cron.save, { serverId }, next, { requestId, about: describeJob(next) }),
  })
  if (!saved.ok) return saved
  const removed = await removeReplaced(actor, change, seen)
  // The stored undo stays, because it can still delete the new job.
  return removed.ok ? saved : { ok: false, problem: formatBoth(removed.problem) }
}

async function removeReplaced(actor: Actor, { serverId, requestId }: Change, seen: CronJob): Promise<Outcome<object>> {
  const found = await findSeen(actor, serverId, seen)
  if (!found.ok) return found
  const { job } = found.data
  return runOperation(actor, cron.delete, { serverId }, { line: job.line }, { requestId, about: describeJob(job) })
}

/** If the new job existed before, the undo does not delete it. Null if the old job cannot be saved. */
function inverseOf(seen: CronJob, next: JobFields, jobs: readonly CronJob[]): Kept | null {
  if (!canBeSaved(seen)) return null
  const [old, before] = [fieldsOf(seen), nearJob(seen, jobs)]
  return jobs.some((job) => isSameJob(job, next)) ? kept(undoJobDelete, { job: old, before }) : kept(undoJobReplace, { old, next, before })
}

/** Says who changed or deleted the job, and what it is now, as far as the audit log knows. */
async function formatGone(actor: Actor, serverId: string, seen: CronJob): Promise<Problem> {
  const change = await findLastChange(actor, { serverId, action: cron.delete.id, about: describeJob(seen) })
  if (!change) return problem('changed_meanwhile', { sentence: 'This job was changed or deleted in the meantime.' })
  const now = await findDescription(change.requestId, cron.save.id)
  const what = now === null ? 'deleted this job' : `changed this job to “${showBidiControls(now)}”`
  return problem('changed_meanwhile', { sentence: `${change.who} ${what} on ${change.at}.` })
}

/** Omits fields: they concern the old job, which no form shows. */
const formatBoth = ({ code, sentence }: Problem): Problem =>
  problem(code, { sentence: `The new job is saved, but the old one may still exist. ${sentence}` })
