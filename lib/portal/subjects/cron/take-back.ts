/** Changes of cron jobs taken back, while the jobs they were about are as the change left them. */
import 'server-only'
import { cron } from '@/lib/contract/operations/cron'
import type { Outcome } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import { lookFor, runInverse, type TakenBack, type TakingBack, tooLate } from '../revert/run-inverse'
import { runOperation } from '../spine'
import type { InverseOf, KeptJob } from '../undoable/inverse'
import { type CronJob, describeJob, isSameJob } from './job'

/**
 * Matches while: a deleted job is not there again; a job that was added, or came in the place of another, is there as it was
 * saved. Otherwise nothing is done. Other jobs may have come or gone.
 */
export async function takeBackJob(
  actor: Actor,
  taking: TakingBack,
  kept: InverseOf<'cron.putBack' | 'cron.takeOut' | 'cron.swap'>,
): Promise<Outcome<TakenBack>> {
  if (kept.kind === 'cron.putBack') return putBack(actor, taking, kept.job)
  return kept.kind === 'cron.takeOut' ? takeOut(actor, taking, kept.job) : swapBack(actor, taking, kept)
}

const readJobs = async (actor: Actor, { serverId }: TakingBack): Promise<Outcome<readonly CronJob[]>> => {
  const listed = await runOperation(actor, cron.list, { serverId })
  return listed.ok ? { ...listed, data: listed.data.cronjobs } : listed
}

const find = (jobs: readonly CronJob[], job: KeptJob): CronJob | undefined => jobs.find((other) => isSameJob(other, job))

async function putBack(actor: Actor, taking: TakingBack, job: KeptJob): Promise<Outcome<TakenBack>> {
  const jobs = await readJobs(actor, taking)
  if (!jobs.ok) return jobs
  if (find(jobs.data, job)) return tooLate('The job is there again already, so there is nothing to undo.')
  const saved = await save(actor, taking, job)
  return saved.ok ? { ok: true, data: { says: 'The job is back.' } } : saved
}

async function takeOut(actor: Actor, taking: TakingBack, job: KeptJob): Promise<Outcome<TakenBack>> {
  const jobs = await readJobs(actor, taking)
  if (!jobs.ok) return jobs
  const present = find(jobs.data, job)
  if (!present) return tooLate('The job is no longer there as it was saved. Look at the cron jobs of the server.')
  const deleted = await remove(actor, taking, present)
  return deleted.ok ? { ok: true, data: { says: 'The job was taken out again.' } } : deleted
}

/** The old job returns before the new one goes, so that there is no moment without either. It may be there still, where it could not be taken out. */
async function swapBack(actor: Actor, taking: TakingBack, { old, next }: InverseOf<'cron.swap'>): Promise<Outcome<TakenBack>> {
  const jobs = await readJobs(actor, taking)
  if (!jobs.ok) return jobs
  if (!find(jobs.data, next)) return tooLate('The job is no longer there as it was changed to. Look at the cron jobs of the server.')
  if (!find(jobs.data, old)) {
    const saved = await save(actor, taking, old)
    if (!saved.ok) return saved
  }
  // Lines may have moved: a service whose line is a place would delete another.
  const now = await readJobs(actor, taking)
  if (!now.ok) return now
  const present = find(now.data, next)
  const removed = present ? await remove(actor, taking, present) : now
  return removed.ok ? { ok: true, data: { says: 'The job is as it was before.' } } : removed
}

const save = (actor: Actor, taking: TakingBack, job: KeptJob) =>
  runInverse(actor, cron.save, { ...taking, about: describeJob(job) }, job, () =>
    lookFor(readJobs(actor, taking), (jobs) => find(jobs, job) !== undefined),
  )

const remove = (actor: Actor, taking: TakingBack, job: CronJob) =>
  runInverse(actor, cron.delete, { ...taking, about: describeJob(job) }, { line: job.line }, () =>
    lookFor(readJobs(actor, taking), (jobs, whole) => whole && find(jobs, job) === undefined),
  )
