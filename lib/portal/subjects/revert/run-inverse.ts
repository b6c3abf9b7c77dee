/** Runs one step of an undo like any operation, marked in the audit log. If its answer is lost, a read determines the outcome. */
import 'server-only'
import type { Answer, Operation } from '@/lib/contract/operation'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import type { Actor } from '@/lib/portal/identity/actor'
import type { GivenFields } from '@/lib/portal/spine/prepare-request'
import { runOperation } from '../spine'
import type { RevertRequest } from '../undoable/kind'

/** about: see RunOptions. */
type Step = RevertRequest & { about?: string }

/**
 * Whether a read `shows` the wanted state; false if the read failed. whole: the list is complete, so that a missing item does not exist.
 */
export const checkState = async <T>(read: Promise<Outcome<T>>, shows: (data: T, whole: boolean) => boolean): Promise<boolean> => {
  const found = await read
  return found.ok && shows(found.data, !found.cut && !found.unreadable)
}

/** isDone: checks whether the step took effect after all. Called only if the connection broke before the answer. */
export async function runInverse<O extends Operation>(
  actor: Actor,
  operation: O,
  { subject, target, extensions: _extensions, startSlow: _startSlow, ...options }: Step,
  fields: GivenFields,
  isDone: () => Promise<boolean>,
): Promise<Outcome<Answer<O> | object>> {
  const outcome = await runOperation(actor, operation, target, fields, options)
  if (outcome.ok || outcome.problem.code !== 'outcome_unknown') return outcome
  if (!(await isDone())) return { ok: false, problem: stillOpen }
  await recordSettled(actor, operation, { subject, ...options })
  return { ok: true, data: {} }
}

const stillOpen = problem('outcome_unknown', {
  sentence: 'The connection broke before the response arrived, and the change is not undone yet. Wait a minute, then undo it again.',
})

async function recordSettled(
  actor: Actor,
  operation: Operation,
  { subject, requestId, undoes }: Pick<RevertRequest, 'subject' | 'requestId' | 'undoes'>,
): Promise<void> {
  const event = { requestId, teamId: actor.team.id, action: operation.id, object: subject }
  try {
    await recordAudit({ ...event, actor: { kind: 'gatehouse' }, stage: 'outcome', outcome: 'done', detail: { undoes } })
  } catch (error) {
    log.error({ err: error, operation: operation.id, requestId }, 'the outcome found by a check could not be recorded')
  }
}

/** The state no longer matches, so nothing was changed. `sentence` says why, and what to do. */
export const tooLate = (sentence: string): { ok: false; problem: ReturnType<typeof problem> } => ({
  ok: false,
  problem: problem('changed_meanwhile', { sentence }),
})
