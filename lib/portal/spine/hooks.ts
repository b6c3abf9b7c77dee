/** Hooks with which subjects react to outcomes, in a table by operation id that is passed to the spine. */
import 'server-only'
import type { contract, OperationId } from '@/lib/contract'
import type { Answer, Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { Decision } from '@/lib/portal/access/decide'
import type { GivenFields } from './prepare-request'

type Subjects = typeof contract
type OperationOf<Id extends OperationId> = Extract<{ [S in keyof Subjects]: Subjects[S][keyof Subjects[S]] }[keyof Subjects], { id: Id }>

/** An operation that was sent, and its outcome. */
export type Sent<O extends Operation = Operation> = { operation: O; decision: Decision; fields: GivenFields; outcome: Outcome<Answer<O>> }

/** An operation that succeeded, and its answer. */
export type Done<O extends Operation = Operation> = Omit<Sent<O>, 'outcome'> & { answer: Answer<O> }

/**
 * The hooks of one subject. They change rows of the portal but never the outcome: an error in a hook is logged, and the next hook runs.
 * `made` returns the opaque id of the server row that the operation created.
 */
export type OutcomeHooks = {
  each?: (sent: Sent) => Promise<void>
  after?: { [Id in OperationId]?: (sent: Sent<OperationOf<Id>>) => Promise<void> }
  made?: { [Id in OperationId]?: (done: Done<OperationOf<Id>>) => Promise<string> }
}

/** The table's type for lookups: the id selects the hook, so operation and answer have the types that the hook expects. */
type ById = {
  after?: Partial<Record<string, (sent: Sent) => Promise<void>>>
  made?: Partial<Record<string, (done: Done) => Promise<string>>>
}

/**
 * Runs the hooks of every subject in the given order, those for each operation first. Never throws. Returns the result of `made`, or
 * null.
 */
export async function runHooks(hooks: readonly OutcomeHooks[], sent: Sent): Promise<string | null> {
  const { operation, outcome } = sent
  let serverId: string | null = null
  for (const subject of hooks) {
    const { after, made } = subject as ById
    try {
      await subject.each?.(sent)
      await after?.[operation.id]?.(sent)
      const make = outcome.ok ? made?.[operation.id] : undefined
      if (make && outcome.ok) serverId = await make({ ...sent, answer: outcome.data })
    } catch (error) {
      log.error({ err: error, operation: operation.id }, 'an outcome could not be stored')
    }
  }
  return serverId
}
