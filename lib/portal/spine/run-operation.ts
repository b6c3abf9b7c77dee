/** The spine: the only way from a user to an upstream service. */
import 'server-only'
import type { Answer, Audit, Operation } from '@/lib/contract/operation'
import { auditOf, changesSomething, onlyAsks } from '@/lib/contract/policy'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { ownerOf } from '@/lib/portal/access/connections'
import { type Decision, decide, isStillGranted, type Target } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { filterAnswer } from '@/lib/portal/access/grants/filter-answer'
import { isForeign } from '@/lib/portal/access/loans/compile'
import { detailOfFailure, detailOfFields } from '@/lib/portal/audit/detail'
import { type AuditEvent, recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { repeatedRead } from '@/lib/portal/audit/repeated-reads'
import { countOperation } from '@/lib/portal/base/figures'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findAbsentMember } from '@/lib/portal/identity/absent-member'
import { type Actor, recheckSame } from '@/lib/portal/identity/actor'
import { auditActorOf } from '@/lib/portal/identity/audit-actor'
import { callConnection } from '@/lib/portal/upstream/call'
import { refuseWithoutSecond } from './held/operation'
import { type OutcomeHooks, runHooks } from './hooks'
import { type GivenFields, type PreparedRequest, prepareRequest } from './prepare-request'

export type { Target } from '@/lib/portal/access/decide'

export type RunOptions = {
  /** The typed confirmation, without which operations that require one are refused. */
  confirmName?: string
  /**
   * Null if the user entered their password recently or enters it now. Operations that require a recent password are refused without
   * this function.
   */
  stepUp?: () => Promise<Problem | null>
  /** Links the audit log's entries of this operation. */
  requestId?: string
  /** The job, rule or other part of the target that the operation concerns, as named in Activity. Must not contain a secret. */
  about?: string
  /** The request id of the change that this one undoes. */
  undoes?: string
  /** The id of the job that this one starts again, which can be done once. */
  repeatOf?: string
  /** The batch that it belongs to. Its starter may have signed out since then. */
  batchId?: string
  /** The digest that a second person approved: what is sent has to have the same. Its asker may have signed out since then. */
  approvedDigest?: string
  /** Started by a schedule that the member set: they need not be signed in, but must still be a member with the same rights. */
  planned?: true
}

/** An outcome and, after servers.create, the portal's own id of the new server. */
export type OperationRun<O extends Operation> = { outcome: Outcome<Answer<O>>; serverId: string | null }

/** Creates the spine. After an outcome is logged, it runs the subjects' `hooks` in this order. */
export function createSpine(hooks: readonly OutcomeHooks[]) {
  /** Like runOperation, for callers that need the id of the new row. */
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
    const late = answered.ok ? await refuseLate(actor, operation, decision, options) : null
    const came: Outcome<Answer<O>> = late ? { ok: false, problem: late } : answered
    const kept = recorded ? await recordOutcome(actor, operation, decision, requestId, came.ok ? null : came.problem) : true
    const outcome: Outcome<Answer<O>> = kept || !came.ok ? came : { ok: false, problem: unrecorded }
    const end = outcomeOf(outcome.ok ? null : outcome.problem)
    countOperation(operation.id, end === 'asked' ? 'done' : end)
    const serverId = await runHooks(hooks, { operation, decision, fields, outcome })
    return { outcome: outcome.ok ? await filterAnswer(actor, operation, decision.connection, outcome) : outcome, serverId }
  }

  /**
   * Runs one operation for a user: checks permissions, logs the intent, checks the session again, decrypts the API key, calls upstream,
   * logs the outcome. `fields` are the operation's request fields by the interface's names. Never throws because of an upstream or a user.
   * A change whose answer was lost is `outcome_unknown`, and is never sent again.
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

/** The outcome could not be logged, so Activity shows unknown, and the answer must not claim more. */
const unrecorded = problem('outcome_unknown', {
  sentence: 'The service made the change, but Gatehouse could not write the outcome to its audit log. Check before you try again.',
})

/** A request that only asks for a host key changes nothing, so a lost answer leaves no unknown outcome. */
function asSent<O extends Operation>(operation: O, fields: GivenFields): O {
  return onlyAsks(operation, fields) ? { ...operation, effect: 'read' } : operation
}

/** recorded: the intent was logged, so the outcome must be logged too. */
export type Admitted = { decision: Decision; request: PreparedRequest; requestId: string; recorded: boolean }

/** All steps before the call: decision, request, second person, intent, and a second check of the session. */
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
  const held = await refuseWithoutSecond({ actor, operation, decision, request: prepared.data, requestId, fields, options })
  if (held) return { ok: false, problem: held }
  const followed = repeatedRead([
    JSON.stringify(auditActorOf(actor)),
    operation.id,
    decision.object.id,
    prepared.data.path,
    prepared.data.body ?? '',
  ])
  const kept = auditFor(actor, operation, decision)
  const follows = kept === 'followed'
  const recorded = kept !== 'never' && !(follows && followed.stands())
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
      log.error({ err: error, operation: operation.id }, 'the audit log cannot be written')
      return { ok: false, problem: problem('internal', { sentence: 'The audit log could not be written, so nothing was done.' }) }
    }
  }
  const gone = await recheckAccess(actor, operation, decision, options)
  if (gone) {
    await recordDenied(actor, operation.id, decision.object, gone.code)
    if (recorded) await recordOutcome(actor, operation, decision, requestId, gone)
    return { ok: false, problem: gone }
  }
  return { ok: true, data: { decision, request: prepared.data, requestId, recorded } }
}

/** Permissions may have been revoked while the request waited, so this runs just before it is sent. */
async function recheckAccess(actor: Actor, operation: Operation, decision: Decision, options: RunOptions): Promise<Problem | null> {
  // Only users exist yet. A token needs a check of its own and is refused until then.
  if (actor.kind !== 'user') return problem('forbidden')
  const isBegun = options.batchId !== undefined || options.approvedDigest !== undefined
  const now = options.planned ? await findAbsentMember(actor.team.id, actor.user.id) : await recheckSame(actor, { evenSignedOut: isBegun })
  if (!now) return problem('signed_out')
  return (await isStillGranted(now, operation, decision)) ? null : problem('forbidden')
}

/** What was read with a lent connection is not passed on once the loan is over. That a change was made has to be known. */
async function refuseLate(actor: Actor, operation: Operation, decision: Decision, options: RunOptions): Promise<Problem | null> {
  if (changesSomething(operation) || !isForeign(decision.connection, ownerOf(actor))) return null
  return recheckAccess(actor, operation, decision, options)
}

/** With a lent connection nothing goes unrecorded: its owner sees each use. */
function auditFor(actor: Actor, operation: Operation, { connection }: Decision): Audit {
  const audit = auditOf(operation)
  return audit === 'never' && isForeign(connection, ownerOf(actor)) ? 'followed' : audit
}

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

/** asked: nothing was changed; the answer is what the user has to confirm, a host key or sites that come back. */
function outcomeOf(failure: Problem | null): 'done' | 'failed' | 'unknown' | 'asked' {
  if (failure === null) return 'done'
  if (failure.code === 'host_key_unconfirmed' || failure.code === 'adoption_unconfirmed') return 'asked'
  return failure.code === 'outcome_unknown' ? 'unknown' : 'failed'
}

/** Logs the outcome of an intent. False if the entry could not be written. */
export async function recordOutcome(
  actor: Actor,
  operation: Operation,
  decision: Decision,
  requestId: string,
  failure: Problem | null,
): Promise<boolean> {
  if (auditFor(actor, operation, decision) === 'never') return true
  const outcome = outcomeOf(failure)
  const detail = { name: decision.name, ...detailOfFailure(failure) }
  return recordOutcomeRow({ ...eventOf(actor, operation, decision, requestId), stage: 'outcome', outcome, detail })
}
