/** The spine: the one way from a person to an upstream service. */
import 'server-only'
import type { Answer, Operation } from '@/lib/contract/operation'
import { auditOf, onlyAsks } from '@/lib/contract/policy'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { type Decision, decide, type Target } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { detailOfFields } from '@/lib/portal/audit/detail'
import { type AuditEvent, recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { repeatedRead } from '@/lib/portal/audit/repeated-reads'
import { countOperation } from '@/lib/portal/base/figures'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { type Actor, recheckActor } from '@/lib/portal/identity/actor'
import { auditActorOf } from '@/lib/portal/identity/audit-actor'
import { callConnection } from '@/lib/portal/upstream/call'
import { type OutcomeHooks, runHooks } from './hooks'
import { type GivenFields, type PreparedRequest, prepareRequest } from './prepare-request'

export type { Target } from '@/lib/portal/access/decide'

export type RunOptions = {
  /** What the person typed to confirm it; what has to be confirmed is refused without. */
  confirmName?: string
  /** Null once the person has proven themselves lately, or does so now. What needs a fresh sign-in is refused without. */
  stepUp?: () => Promise<Problem | null>
  /** Ties the rows of the record together. */
  requestId?: string
  /** Which job or rule of the target it is about, as Activity names it. Never a secret, nor what may hold one. */
  about?: string
  /** The request id of the change that this one takes back. */
  undoes?: string
}

/** An outcome and, after servers.create, the new server's own id. */
export type OperationRun<O extends Operation> = { outcome: Outcome<Answer<O>>; serverId: string | null }

/** The spine with what subjects add to outcomes: `hooks` run in this order, once an outcome is recorded. */
export function createSpine(hooks: readonly OutcomeHooks[]) {
  /** Like runOperation, for callers that need the id of what was made. */
  async function performOperation<O extends Operation>(
    actor: Actor,
    operation: O,
    target: Target,
    fields: GivenFields,
    options: RunOptions,
  ): Promise<OperationRun<O>> {
    const admitted = await admit(actor, operation, target, fields, options)
    if (!admitted.ok) {
      countOperation(operation.id, 'refused')
      return { outcome: admitted, serverId: null }
    }
    const { decision, request, requestId, recorded } = admitted.data
    const answered = await callConnection(decision.connection, asSent(operation, fields), request)
    const kept = recorded ? await recordOutcome(actor, operation, decision, requestId, answered.ok ? null : answered.problem) : true
    const outcome: Outcome<Answer<O>> = kept || !answered.ok ? answered : { ok: false, problem: unrecorded }
    const came = outcomeOf(outcome.ok ? null : outcome.problem)
    countOperation(operation.id, came === 'asked' ? 'done' : came)
    return { outcome, serverId: await runHooks(hooks, { operation, decision, fields, outcome }) }
  }

  /**
   * Runs one operation for a person: may they, intent into the record, still signed in, key opened and upstream called,
   * outcome into the record. `fields` are the operation's request fields by the interface's names. Never throws for what
   * an upstream or a person does; a change whose answer never came is `outcome_unknown`, and is not sent again.
   */
  async function runOperation<O extends Operation>(
    actor: Actor,
    operation: O,
    target: Target,
    fields: GivenFields = {},
    options: RunOptions = {},
  ): Promise<Outcome<Answer<O>>> {
    return (await performOperation(actor, operation, target, fields, options)).outcome
  }

  return { performOperation, runOperation }
}

/** The audit log has the intent alone, so Activity says unknown. The answer must not say more than that. */
const unrecorded = problem('outcome_unknown', {
  sentence: 'The service did it, but Gatehouse could not write the outcome to its audit log. Check before you repeat it.',
})

/** A change that only asks changes nothing: an answer that never came leaves nothing open. */
function asSent<O extends Operation>(operation: O, fields: GivenFields): O {
  return onlyAsks(operation, fields) ? { ...operation, effect: 'read' } : operation
}

/** recorded: its intent stands in the record, so its outcome has to. */
export type Admitted = { decision: Decision; request: PreparedRequest; requestId: string; recorded: boolean }

/** Everything before the call: decision, request, intent, and whether the person is still who they were. */
export async function admit(
  actor: Actor,
  operation: Operation,
  target: Target,
  fields: GivenFields,
  options: RunOptions,
): Promise<Outcome<Admitted>> {
  const decided = await decide(actor, operation, target, { fields, confirmName: options.confirmName })
  if (!decided.ok) return decided
  const decision = decided.data
  const proves = operation.freshSignIn && !onlyAsks(operation, fields)
  const unproven = proves ? await (options.stepUp?.() ?? problem('forbidden')) : null
  if (unproven) return { ok: false, problem: unproven }
  const prepared = prepareRequest(operation, decision, fields)
  if (!prepared.ok) return prepared
  const requestId = options.requestId ?? createOpaqueId()
  const followed = repeatedRead([JSON.stringify(auditActorOf(actor)), operation.id, decision.object.id, JSON.stringify(fields)])
  const follows = auditOf(operation) === 'followed'
  const recorded = isRecorded(operation) && !(follows && followed.stands())
  if (recorded) {
    try {
      await recordAudit({
        ...eventOf(actor, operation, decision, requestId),
        stage: 'intent',
        outcome: 'asked',
        detail: { name: decision.name, about: options.about, undoes: options.undoes, ...detailOfFields(operation, fields) },
      })
      if (follows) followed.note()
    } catch (error) {
      log.error({ err: error, operation: operation.id }, 'the record cannot be written')
      return { ok: false, problem: problem('internal', { sentence: 'The record could not be written, so nothing was done.' }) }
    }
  }
  const gone = await recheckAccess(actor, operation)
  if (gone) {
    await recordDenied(actor, operation.id, decision.object, gone.code)
    if (recorded) await recordOutcome(actor, operation, decision, requestId, gone)
    return { ok: false, problem: gone }
  }
  return { ok: true, data: { decision, request: prepared.data, requestId, recorded } }
}

/** Rights may have gone while the request waited: asked once more just before anything leaves. */
async function recheckAccess(actor: Actor, operation: Operation): Promise<Problem | null> {
  // Only persons are made yet: a token brings a look of its own with it, and until then may nothing.
  if (actor.kind !== 'user') return problem('forbidden')
  const now = await recheckActor(actor.sessionId)
  if (now?.user.id !== actor.user.id || now.team.id !== actor.team.id) return problem('signed_out')
  return mayRun(now.role, operation.effect) ? null : problem('forbidden')
}

const isRecorded = (operation: Operation): boolean => auditOf(operation) !== 'never'

function eventOf(actor: Actor, operation: Operation, decision: Decision, requestId: string) {
  return {
    requestId,
    teamId: actor.team.id,
    actor: auditActorOf(actor),
    action: operation.id,
    object: decision.object,
    connectionId: decision.connection.id,
  } as const satisfies Partial<AuditEvent>
}

/** asked: nothing was to be done but to show a host key, for somebody to compare. */
function outcomeOf(failure: Problem | null): 'done' | 'failed' | 'unknown' | 'asked' {
  if (failure === null) return 'done'
  if (failure.code === 'host_key_unconfirmed') return 'asked'
  return failure.code === 'outcome_unknown' ? 'unknown' : 'failed'
}

/** Writes what came of an intent. False when the row could not be written. */
export async function recordOutcome(
  actor: Actor,
  operation: Operation,
  decision: Decision,
  requestId: string,
  failure: Problem | null,
): Promise<boolean> {
  if (!isRecorded(operation)) return true
  const outcome = outcomeOf(failure)
  const detail = { name: decision.name, code: failure?.code }
  return recordOutcomeRow({ ...eventOf(actor, operation, decision, requestId), stage: 'outcome', outcome, detail })
}
