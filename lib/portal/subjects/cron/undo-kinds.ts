/** Undoes changes to cron jobs that are still as the change left them. Other jobs may have been added or removed. */
import 'server-only'
import * as z from 'zod'
import { cron } from '@/lib/contract/operations/cron'
import type { Outcome } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import { checkState, runInverse, tooLate } from '../revert/run-inverse'
import { runOperation } from '../spine'
import { type RevertRequest, undoKind } from '../undoable/kind'
import type { Subject } from '../undoable/subject'
import { type CronJob, describeJob, isSameJob, type JobFields } from './job'
import { placeJob } from './place'

const text = z.string()
const job = z.object({ user: text, minute: text, hour: text, dom: text, mon: text, dow: text, command: text })

const page = ({ id }: Subject) => ({ href: `/servers/${id}/cron`, label: 'Cron jobs' })

/** The old job with its neighbours. Older versions stored none; then the service decides the position. */
const before = z.array(job).default([])

/** Restores a deleted job, unless it exists again. */
export const undoJobDelete = undoKind({
  name: 'cron.putBack',
  schema: z.object({ job, before }),
  summary: 'Restores the job.',
  plain: true,
  needs: cron.save,
  page,
  async revert(actor, request, { job, before }) {
    const jobs = await readJobs(actor, request)
    if (!jobs.ok) return jobs
    if (find(jobs.data, job)) return tooLate('The job exists again, so there is nothing to undo.')
    const saved = await save(actor, request, job, placeJob(job, before, jobs.data))
    return saved.ok ? { ok: true, data: { message: 'The job was restored.' } } : saved
  },
})

/** Deletes an added job if it is unchanged. */
export const undoJobAdd = undoKind({
  name: 'cron.takeOut',
  schema: z.object({ job }),
  summary: 'Deletes the job.',
  plain: true,
  needs: cron.save,
  page,
  async revert(actor, request, { job }) {
    const jobs = await readJobs(actor, request)
    if (!jobs.ok) return jobs
    const present = find(jobs.data, job)
    if (!present) return tooLate('The job has changed or was deleted since. Check the server’s cron jobs.')
    const deleted = await remove(actor, request, present)
    return deleted.ok ? { ok: true, data: { message: 'The job was deleted again.' } } : deleted
  },
})

/**
 * Restores the old job in place of the new one if that is unchanged. Saves the old job first, so that one of them always
 * exists. The old job may still be there, if it could not be deleted.
 */
export const undoJobReplace = undoKind({
  name: 'cron.swap',
  schema: z.object({ old: job, next: job, before }),
  summary: 'Replaces the new job with the old one.',
  plain: false,
  needs: cron.save,
  page,
  async revert(actor, request, { old, next, before }) {
    const jobs = await readJobs(actor, request)
    if (!jobs.ok) return jobs
    if (!find(jobs.data, next)) return tooLate('The job has changed or was deleted since. Check the server’s cron jobs.')
    if (!find(jobs.data, old)) {
      const saved = await save(actor, request, old, placeJob(old, before, jobs.data))
      if (!saved.ok) return saved
    }
    // Lines may have moved: if a service's line is a position, it would delete another job.
    const now = await readJobs(actor, request)
    if (!now.ok) return now
    const present = find(now.data, next)
    const removed = present ? await remove(actor, request, present) : now
    return removed.ok ? { ok: true, data: { message: 'The old job was restored.' } } : removed
  },
})

const readJobs = async (actor: Actor, { target }: RevertRequest): Promise<Outcome<readonly CronJob[]>> => {
  const listed = await runOperation(actor, cron.list, target)
  return listed.ok ? { ...listed, data: listed.data.cronjobs } : listed
}

const find = (jobs: readonly CronJob[], job: JobFields): CronJob | undefined => jobs.find((other) => isSameJob(other, job))

const save = (actor: Actor, request: RevertRequest, job: JobFields, place: { before?: string }) =>
  runInverse(actor, cron.save, { ...request, about: describeJob(job) }, { ...job, ...(request.extensions && place) }, () =>
    checkState(readJobs(actor, request), (jobs) => find(jobs, job) !== undefined),
  )

const remove = (actor: Actor, request: RevertRequest, job: CronJob) =>
  runInverse(actor, cron.delete, { ...request, about: describeJob(job) }, { line: job.line }, () =>
    checkState(readJobs(actor, request), (jobs, whole) => whole && find(jobs, job) === undefined),
  )
