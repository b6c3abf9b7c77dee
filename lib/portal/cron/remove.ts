/** Taking a cron job out, and putting another in its place: never another job than the one a person saw. */
import 'server-only'
import type { Answer } from '@/lib/contract/operation'
import { cron } from '@/lib/contract/operations/cron'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { decide } from '../access/decide'
import type { Actor } from '../identity/actor'
import { runOperation } from '../run-operation'

export type CronJob = Answer<typeof cron.list>['cronjobs'][number]

/** What a job is; its `line` may be no more than its place, and tells nothing once others came or went. */
const members = ['user', 'minute', 'hour', 'dom', 'mon', 'dow', 'command'] as const

type JobFields = Pick<CronJob, (typeof members)[number]>

const isSame = (one: JobFields, other: JobFields): boolean => members.every((name) => one[name] === other[name])

/**
 * Deletes a job as it was seen. The list is read first: a service whose `line` is a place in it would otherwise delete
 * whatever stands there by now.
 */
export async function removeJob(actor: Actor, serverId: string, seen: CronJob): Promise<Outcome<object>> {
  const may = await decide(actor, cron.delete, { serverId })
  return may.ok ? removeAllowed(actor, serverId, seen) : may
}

async function removeAllowed(actor: Actor, serverId: string, seen: CronJob): Promise<Outcome<object>> {
  const listed = await runOperation(actor, cron.list, { serverId })
  if (!listed.ok) return listed
  const same = listed.data.cronjobs.filter((job) => isSame(job, seen))
  const job = same.find(({ line }) => line === seen.line) ?? same[0]
  if (!job) return { ok: false, problem: gone }
  const deleted = await runOperation(actor, cron.delete, { serverId }, { line: job.line })
  return deleted.ok ? { ok: true, data: {} } : deleted
}

/** Saves the new job, then takes the old one out, so that there is no moment without either. */
export async function replaceJob(actor: Actor, serverId: string, seen: CronJob, next: JobFields): Promise<Outcome<object>> {
  const may = await decide(actor, cron.delete, { serverId })
  if (!may.ok) return may
  if (isSame(seen, next)) return { ok: true, data: {} }
  const saved = await runOperation(actor, cron.save, { serverId }, next)
  if (!saved.ok) return saved
  const removed = await removeAllowed(actor, serverId, seen)
  return removed.ok ? removed : { ok: false, problem: sayBoth(removed.problem) }
}

const gone = problem('changed_meanwhile', { sentence: 'This job is no longer there as you saw it. Look at the list again.' })

/** Fields are left out: they were about the old job, and no form shows that one. */
const sayBoth = ({ code, sentence }: Problem): Problem =>
  problem(code, { sentence: `The new job is saved, but the old one may still be there. ${sentence}` })
