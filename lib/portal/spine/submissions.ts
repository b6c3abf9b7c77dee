/** A form sent twice is done once: the second is given the first one's answer. */
import 'server-only'
import { createHash } from 'node:crypto'
import { type Outcome, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId, isOpaqueId } from '@/lib/portal/base/opaque-id'
import { processState } from '@/lib/portal/base/process-state'
import type { AuditStage } from '@/prisma/generated/portal/client'

type Submission = { at: number; outcome: Promise<Outcome<unknown>> }

const submissions = processState('submissions', () => new Map<string, Submission>())

const keptMs = 600_000

/**
 * Runs `submit`, unless the same person sent the same id for the same operation before: within 10 minutes its outcome is
 * answered, also while it is still under way; later, and after a restart of the portal, what became of it is no longer
 * known here: that is said, and nothing is done. Without a usable id every submission counts.
 *
 * `submit` is given the id under which all of it stands in the record; a job has it as its own. It is made from the
 * page's id, the person and the operation, so nobody can take an id that somebody else will use.
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
  // The key names the operation, so the kind of its outcome is the same.
  if (known) return known.outcome as Promise<Outcome<T>>
  const outcome = submitUnlessRecorded(createHash('sha256').update(key).digest('base64url').slice(0, 22), submit)
  kept.set(key, { at: Date.now(), outcome })
  outcome.then(
    // What was refused before anything was done may be sent again.
    (value) => !value.ok && harmless.has(value.problem.code) && kept.delete(key),
    () => kept.delete(key),
  )
  return outcome
}

const harmless = new Set(['invalid', 'signed_out', 'forbidden', 'no_connection', 'host_key_unconfirmed'])

async function submitUnlessRecorded<T>(requestId: string, submit: (id: string) => Promise<Outcome<T>>): Promise<Outcome<T>> {
  if (!(await wasBegun(requestId))) return submit(requestId)
  return {
    ok: false,
    problem: problem('outcome_unknown', { sentence: 'This was already sent. Check the result before you send it again.' }),
  }
}

/** Whether anything may have been sent under this id: an intent that ended with the session is none, for nothing left after it. */
async function wasBegun(requestId: string): Promise<boolean> {
  const rows = await db().auditRow.findMany({
    where: { requestId, stage: { in: ['intent', 'outcome'] } },
    select: { stage: true, detail: true },
  })
  const count = (stage: AuditStage) => rows.filter((row) => row.stage === stage && (stage === 'intent' || isLapse(row.detail))).length
  return count('intent') > count('outcome')
}

// Within a text of the detail the quotes would be escaped.
const isLapse = (detail: string): boolean => detail.includes('"code":"signed_out"')

function dropOld(): Map<string, Submission> {
  const kept = submissions()
  for (const [key, { at }] of kept) {
    if (Date.now() - at < keptMs) break
    kept.delete(key)
  }
  return kept
}
