/** Runs a change of the portal's own data between the two entries of the audit log. */
import 'server-only'
import type { Effect } from '@/lib/contract/operation'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { may, type PortalSubject } from '@/lib/portal/access/roles'
import { type AuditDetail, detailOfFailure } from '@/lib/portal/audit/detail'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { type AuditEvent, recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { type Person, recheckSame } from '@/lib/portal/identity/actor'
import type { AuditObjectKind } from '@/prisma/generated/portal/client'
import { refuseOwnWithoutSecond, type Second } from './held/own'

export type RecordedChange = {
  actor: Person
  action: OwnAction
  requestId: string
  object: { kind: AuditObjectKind; id: string }
  connectionId?: string
  /** What the user's role must permit, checked again just before the change. */
  needs: { subject: PortalSubject; effect: Effect }
  detail: AuditDetail
  /** How it waits for a second person, if the team's rule lists it; null if the rule is not about it. */
  second?: Second | null
  /** A second person approved it in another way. Whoever asked may have signed out since then. */
  approved?: boolean
}

/** The user as they are at this moment, or the refusal. */
export type Recheck = () => Promise<Outcome<Person>>

/**
 * Holds it if it needs a second person. Else logs the intent, checks permissions again, calls `run`, logs the outcome. If the intent cannot be logged, nothing is changed. A `run` that
 * waits for the network calls `recheck` before it stores anything.
 */
export async function runRecorded<T>(
  change: RecordedChange,
  run: (now: Person, recheck: Recheck) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const held = await refuseOwnWithoutSecond(change)
  if (held) return { ok: false, problem: held }
  try {
    await recordAudit({ ...eventOf(change), stage: 'intent', outcome: 'asked', detail: change.detail })
  } catch (error) {
    log.error({ err: error, action: change.action }, 'the audit log cannot be written')
    return { ok: false, problem: problem('internal', { sentence: 'The audit log could not be written, so nothing was done.' }) }
  }
  const access = await recheckAccess(change)
  const outcome = access.ok ? await attempt(change, () => run(access.data, () => recheckAccess(change))) : access
  const kept = await recordOutcome(change, outcome.ok ? null : outcome.problem)
  return kept || !outcome.ok ? outcome : { ok: false, problem: unrecorded }
}

const unrecorded = problem('outcome_unknown', {
  sentence: 'The change was made, but Gatehouse could not write the outcome to its audit log. Check before you try again.',
})

async function attempt<T>(change: RecordedChange, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await run()
  } catch (error) {
    await recordOutcome(change, problem('internal'))
    throw error
  }
}

/** The user as they are now: permissions may have been revoked while the form was open. */
async function recheckAccess({ actor, needs, second, approved }: RecordedChange): Promise<Outcome<Person>> {
  const isApproved = approved === true || second?.approvedDigest !== undefined
  const now = await recheckSame(actor, { evenSignedOut: isApproved })
  const refused = (code: Problem['code']) => ({ ok: false, problem: problem(code) }) as const
  if (!now) return refused('signed_out')
  return may(now.role, needs.subject, needs.effect) ? { ok: true, data: now } : refused('forbidden')
}

const eventOf = ({ actor, action, requestId, object, connectionId }: RecordedChange) =>
  ({
    requestId,
    teamId: actor.team.id,
    actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
    action,
    object,
    ...(connectionId !== undefined && { connectionId }),
  }) as const satisfies Partial<AuditEvent>

/** False if the entry could not be written; the log then has only the intent. */
function recordOutcome(change: RecordedChange, failure: Problem | null): Promise<boolean> {
  const detail = { ...change.detail, ...detailOfFailure(failure) }
  return recordOutcomeRow({ ...eventOf(change), stage: 'outcome', outcome: failure ? 'failed' : 'done', detail })
}
