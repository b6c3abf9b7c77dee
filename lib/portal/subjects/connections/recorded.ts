/** Runs a change to a connection between the two entries of the audit log. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { type Keeper, mayKeep } from '@/lib/portal/access/roles'
import type { AuditDetail } from '@/lib/portal/audit/detail'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { type AuditEvent, recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { type Person, recheckActor } from '@/lib/portal/identity/actor'

type Change = { actor: Person; action: OwnAction; requestId: string; connectionId: string; keeper: Keeper; detail: AuditDetail }

/** Logs the intent, checks permissions again, calls `run`, logs the outcome. If the intent cannot be logged, nothing is changed. */
export async function runRecorded<T>(change: Change, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    await recordAudit({ ...eventOf(change), stage: 'intent', outcome: 'asked', detail: change.detail })
  } catch (error) {
    log.error({ err: error, action: change.action }, 'the audit log cannot be written')
    return { ok: false, problem: problem('internal', { sentence: 'The audit log could not be written, so nothing was done.' }) }
  }
  const refusal = await recheckAccess(change)
  const outcome = refusal ? ({ ok: false, problem: refusal } as const) : await attempt(change, run)
  const kept = await recordOutcome(change, outcome.ok ? null : outcome.problem)
  return kept || !outcome.ok ? outcome : { ok: false, problem: unrecorded }
}

const unrecorded = problem('outcome_unknown', {
  sentence: 'The change was made, but Gatehouse could not write the outcome to its audit log. Check before you try again.',
})

async function attempt<T>(change: Change, run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await run()
  } catch (error) {
    await recordOutcome(change, problem('internal'))
    throw error
  }
}

/** Permissions may have been revoked while the form was open. */
async function recheckAccess({ actor, keeper }: Change): Promise<Problem | null> {
  const now = await recheckActor(actor.sessionId)
  if (now?.user.id !== actor.user.id || now.team.id !== actor.team.id) return problem('signed_out')
  return mayKeep(now.role, keeper) ? null : problem('forbidden')
}

const eventOf = ({ actor, action, requestId, connectionId }: Change) =>
  ({
    requestId,
    teamId: actor.team.id,
    actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
    action,
    object: { kind: 'connection', id: connectionId },
    connectionId,
  }) as const satisfies Partial<AuditEvent>

/** False if the entry could not be written; the log then has only the intent. */
function recordOutcome(change: Change, failure: Problem | null): Promise<boolean> {
  const detail = { ...change.detail, code: failure?.code }
  return recordOutcomeRow({ ...eventOf(change), stage: 'outcome', outcome: failure ? 'failed' : 'done', detail })
}
