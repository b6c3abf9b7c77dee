/** Saves a cron job so that it can be undone. */
import 'server-only'
import { cron } from '@/lib/contract/operations/cron'
import type { Outcome } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'
import { findKept, keepUndo, refuseChange, type Undoable } from '../undoable/kept'
import { kept } from '../undoable/kind'
import { onServer } from '../undoable/subject'
import { type CronJob, describeJob, fieldsOf, isSameJob, type JobFields } from './job'
import { placeJob } from './place'
import { undoJobAdd, undoJobDelete } from './undo-kinds'

/** The server, and the id under which the change is logged. */
export type Change = { serverId: string; requestId: string }

/** Reads the list first: a service does not add an existing job, so there would be nothing to undo. */
export async function saveJob(actor: Actor, change: Change, job: JobFields): Promise<Outcome<Undoable>> {
  const { serverId, requestId } = change
  const may = await decide(actor, cron.save, { serverId })
  if (!may.ok) return may
  const listed = await runOperation(actor, cron.list, { serverId })
  if (!listed.ok) return listed
  const present = listed.data.cronjobs.some((other) => isSameJob(other, job))
  const undo = await keepUndo(actor, onServer(change), present ? null : kept(undoJobAdd, { job: fieldsOf(job) }))
  const place = may.data.connection.extensions && !present ? await findOldPlace(actor, serverId, job, listed.data.cronjobs) : {}
  const saved = await runOperation(actor, cron.save, { serverId }, { ...job, ...place }, { requestId, about: describeJob(job) })
  return saved.ok ? { ok: true, data: { undo } } : refuseChange(undo, saved.problem)
}

/** A job that was deleted here and is now saved by hand, not with Undo, still returns to its old position. */
async function findOldPlace(actor: Actor, id: string, job: JobFields, now: readonly CronJob[]): Promise<{ before?: string }> {
  const deleted = await findKept(actor, { kind: 'server', id }, undoJobDelete)
  const same = deleted.find((one) => isSameJob(one.job, job))
  return same ? placeJob(job, same.before, now) : {}
}
