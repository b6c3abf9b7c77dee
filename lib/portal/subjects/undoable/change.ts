/** Makes a change that can be undone: what would undo it is stored before the change is made, and stays only if it may have been made. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import type { Outcome } from '@/lib/contract/problem'
import { type Decision, decide } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { keepUndo } from './kept'
import type { Kept } from './kind'
import { type Subject, targetOf } from './subject'

/** The result of a change. undo: the id for the undo action; null if the change cannot be undone. */
export type Undoable = { undo: string | null }

/** The parts of one change, in the order in which they run. */
type Change<State, Made extends object> = {
  /** Users who may run this operation on the subject may make the change. */
  operation: Operation
  /** Reads what the change depends on. A problem refuses the change. */
  read: (decision: Decision) => Promise<Outcome<State>>
  /** What would undo the change; null if nothing can. */
  inverse: (state: State, decision: Decision) => Kept | null
  /** Makes the change. After a problem other than `outcome_unknown` there is nothing to undo. */
  run: (state: State, decision: Decision) => Promise<Outcome<Made>>
}

/** Checks the permission first. requestId: the id under which the change is logged. The result is that of `run`, with the undo. */
export async function undoableChange<State, Made extends object>(
  actor: Actor,
  { requestId, subject }: { requestId: string; subject: Subject },
  { operation, read, inverse, run }: Change<State, Made>,
): Promise<Outcome<Made & Undoable>> {
  const may = await decide(actor, operation, targetOf(subject))
  if (!may.ok) return may
  const state = await read(may.data)
  if (!state.ok) return state
  const undo = await keepUndo(actor, { requestId, subject }, inverse(state.data, may.data))
  const made = await run(state.data, may.data)
  if (made.ok) return { ok: true, data: { ...made.data, undo } }
  if (undo !== null && made.problem.code !== 'outcome_unknown') await db().undo.deleteMany({ where: { id: undo, usedAt: null } })
  return made
}

/** `read` of a change that depends on no present state. */
export const readNothing = async (): Promise<Outcome<null>> => ({ ok: true, data: null })
