/** Runs a form that is submitted twice only once: the second submission gets the first one's result. */
import 'server-only'
import { createHash } from 'node:crypto'
import { type Outcome, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId, isOpaqueId } from '@/lib/portal/base/opaque-id'
import { sharedDatabase } from '@/lib/portal/base/portals/shared'
import { processState } from '@/lib/portal/base/process-state'
import { isTaken } from '@/lib/portal/base/transaction'
import type { AuditStage } from '@/prisma/generated/portal/client'

type Submission = { at: number; outcome: Promise<Outcome<unknown>> }

const submissions = processState('submissions', () => new Map<string, Submission>())

const keptMs = 600_000

/**
 * Runs `submit`, unless the same user has already sent the same id for the same operation. Within 10 minutes that submission's outcome
 * is returned, even while it is still running. Later, or after a restart of the portal, its result is lost: the caller gets a problem
 * that says so, and nothing runs. Without a usable id every submission runs.
 *
 * `submit` receives the request id for its audit log entries; a job uses it as its own id. It is derived from the page's id, the user
 * and the operation, so nobody can occupy an id that another user will use.
 */
export async function answerOnce<T>(
  [userId, operationId]: readonly [string, string],
  given: string | undefined,
  submit: (requestId: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (!isOpaqueId(given)) return submit(createOpaqueId())
  const kept = dropOld()
  const key = JSON.stringify([userId, operationId, given])
  const known = kept.get(key)
  // The key contains the operation, so the outcome has the same type.
  if (known) return known.outcome as Promise<Outcome<T>>
  const outcome = submitUnlessRecorded(createHash('sha256').update(key).digest('base64url').slice(0, 22), submit)
  kept.set(key, { at: Date.now(), outcome })
  outcome.then(
    // A submission that was refused before it changed anything may be repeated.
    (value) => !value.ok && harmless.has(value.problem.code) && kept.delete(key),
    () => kept.delete(key),
  )
  return outcome
}

const harmless = new Set(['invalid', 'signed_out', 'forbidden', 'no_connection', 'host_key_unconfirmed', 'adoption_unconfirmed'])

async function submitUnlessRecorded<T>(requestId: string, submit: (id: string) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  if (await wasBegun(requestId)) return sentBefore
  return sharedDatabase() ? submitOnceAmongPortals(requestId, submit) : submit(requestId)
}

const sentBefore = {
  ok: false,
  problem: problem('outcome_unknown', { sentence: 'This was already sent. Check the result before you send it again.' }),
} as const

/** A double click may reach two portals at one moment, before either has logged anything: one of them gets the row. */
async function submitOnceAmongPortals<T>(id: string, submit: (id: string) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    await db().submission.create({ data: { id, at: new Date() } })
  } catch (error) {
    if (isTaken(error)) return sentBefore
    throw error
  }
  const forget = () => db().submission.deleteMany({ where: { id } })
  try {
    const outcome = await submit(id)
    if (!outcome.ok && harmless.has(outcome.problem.code)) await forget()
    return outcome
  } catch (error) {
    // As in the memory of this process: whether it was begun is in the audit log.
    await forget()
    throw error
  }
}

/** Deletes what nobody submits again. By then, the audit log tells. */
export async function pruneSubmissions(): Promise<void> {
  await db().submission.deleteMany({ where: { at: { lt: new Date(Date.now() - keptMs) } } })
}

/** Whether anything may have been done or sent under this id. Nothing was if the session ended right after the intent. */
async function wasBegun(requestId: string): Promise<boolean> {
  const rows = await db().auditRow.findMany({ where: { requestId }, select: { stage: true, outcome: true, detail: true } })
  // A change of the portal's own rows may have one entry only, written before them.
  if (rows.some(({ stage, outcome }) => stage === 'event' && outcome === 'done')) return true
  const count = (stage: AuditStage) => rows.filter((row) => row.stage === stage && (stage === 'intent' || isLapse(row.detail))).length
  return count('intent') > count('outcome')
}

// Quotes within a text of the detail would be escaped, so this matches only the code itself.
const isLapse = (detail: string): boolean => detail.includes('"code":"signed_out"')

function dropOld(): Map<string, Submission> {
  const kept = submissions()
  for (const [key, { at }] of kept) {
    if (Date.now() - at < keptMs) break
    kept.delete(key)
  }
  return kept
}
