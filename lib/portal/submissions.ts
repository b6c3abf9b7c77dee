/** A form sent twice is done once: the second is given the first one's answer. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { createOpaqueId, isOpaqueId } from './access/opaque-id'
import { db } from './db'

type Submission = { at: number; outcome: Promise<Outcome<unknown>> }

// Shared by all route bundles of the process.
const holder: { gatehouseSubmissions?: Map<string, Submission> } = globalThis as object

const keptMs = 600_000

/**
 * Runs `submit`, unless the same person sent the same id for the same operation within 10 minutes: then its outcome is
 * answered, also while it is still under way. After a restart of the portal what became of it is no longer known here:
 * that is said, and nothing is done. Without a usable id every submission counts.
 */
export async function answerOnce<T>(
  [userId, operationId]: readonly [string, string],
  given: string | undefined,
  submit: (requestId: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (!isOpaqueId(given)) return submit(createOpaqueId())
  const submissions = dropOld()
  const key = JSON.stringify([userId, operationId, given])
  const known = submissions.get(key)
  // The key names the operation, so the kind of its outcome is the same.
  if (known) return known.outcome as Promise<Outcome<T>>
  const outcome = submitUnlessRecorded(userId, operationId, given, submit)
  submissions.set(key, { at: Date.now(), outcome })
  outcome.then(
    // What was refused before anything was done may be sent again.
    (value) => !value.ok && harmless.has(value.problem.code) && submissions.delete(key),
    () => submissions.delete(key),
  )
  return outcome
}

const harmless = new Set(['invalid', 'signed_out', 'forbidden', 'no_connection', 'host_key_unconfirmed'])

async function submitUnlessRecorded<T>(
  userId: string,
  action: string,
  requestId: string,
  submit: (id: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const since = new Date(Date.now() - keptMs)
  const row = await db().auditRow.findFirst({ where: { requestId, actorId: userId, action, stage: 'intent', at: { gt: since } } })
  if (!row) return submit(requestId)
  return {
    ok: false,
    problem: problem('outcome_unknown', { sentence: 'This was sent already. Look what became of it before you send it again.' }),
  }
}

function dropOld(): Map<string, Submission> {
  holder.gatehouseSubmissions ??= new Map()
  for (const [key, { at }] of holder.gatehouseSubmissions) {
    if (Date.now() - at < keptMs) break
    holder.gatehouseSubmissions.delete(key)
  }
  return holder.gatehouseSubmissions
}
