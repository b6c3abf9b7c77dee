/** What subjects add to outcomes: hooks in a table by operation id, passed to the spine from above. */
import 'server-only'
import type { contract, OperationId } from '@/lib/contract'
import type { Answer, Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import type { Decision } from '@/lib/portal/access/decide'
import type { GivenFields } from './prepare-request'

type Subjects = typeof contract
type OperationOf<Id extends OperationId> = Extract<{ [S in keyof Subjects]: Subjects[S][keyof Subjects[S]] }[keyof Subjects], { id: Id }>

/** One operation that was sent, and its outcome. */
export type Sent<O extends Operation = Operation> = { operation: O; decision: Decision; fields: GivenFields; outcome: Outcome<Answer<O>> }

/** One operation that was done, and its answer. */
export type Done<O extends Operation = Operation> = Omit<Sent<O>, 'outcome'> & { answer: Answer<O> }

/**
 * The hooks of one subject. They change rows of the portal and never an outcome: what a hook throws is logged, and the next one runs.
 * `made` returns the opaque id of the server that the operation created a row for.
 */
export type OutcomeHooks = {
  each?: (sent: Sent) => Promise<void>
  after?: { [Id in OperationId]?: (sent: Sent<OperationOf<Id>>) => Promise<void> }
  made?: { [Id in OperationId]?: (done: Done<OperationOf<Id>>) => Promise<string> }
}

/** The type the table is read with: the id selects the hook, so operation and answer are those the hook was written for. */
type ById = {
  after?: Partial<Record<string, (sent: Sent) => Promise<void>>>
  made?: Partial<Record<string, (done: Done) => Promise<string>>>
}

/**
 * Runs the hooks of every subject in the given order, those for each operation first. Never throws. Returns what `made` returned, or
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
