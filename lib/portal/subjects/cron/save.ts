/** Saves a cron job so that it can be undone. */
import 'server-only'
import { cron } from '@/lib/contract/operations/cron'
import type { Outcome } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { findKept } from '../undoable/kept'
import { kept } from '../undoable/kind'
import { onServer } from '../undoable/subject'
import { type CronJob, describeJob, fieldsOf, isSameJob, type JobFields } from './job'
import { placeJob } from './place'
import { undoJobAdd, undoJobDelete } from './undo-kinds'

/** The server, and the id under which the change is logged. */
export type Change = { serverId: string; requestId: string }

/** Reads the list first: a service does not add an existing job, so there would be nothing to undo. */
export function saveJob(actor: Actor, change: Change, job: JobFields): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  const has = (jobs: readonly CronJob[]) => jobs.some((other) => isSameJob(other, job))
  return undoableChange(actor, onServer(change), {
    operation: cron.save,
    read: () => runOperation(actor, cron.list, { serverId }),
    inverse: ({ cronjobs }) => (has(cronjobs) ? null : kept(undoJobAdd, { job: fieldsOf(job) })),
    async run({ cronjobs }, { connection }) {
      const place = connection.extensions && !has(cronjobs) ? await findOldPlace(actor, serverId, job, cronjobs) : {}
      return runOperation(actor, cron.save, { serverId }, { ...job, ...place }, { requestId, about: describeJob(job) })
    },
  })
}

/** A job that was deleted here and is now saved by hand, not with Undo, still returns to its old position. */
async function findOldPlace(actor: Actor, id: string, job: JobFields, now: readonly CronJob[]): Promise<{ before?: string }> {
  const deleted = await findKept(actor, { kind: 'server', id }, undoJobDelete)
  const same = deleted.find((one) => isSameJob(one.job, job))
  return same ? placeJob(job, same.before, now) : {}
}
