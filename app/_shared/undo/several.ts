'use client'

import { refetchReads } from '@/app/_shared/reads/use-read'
import type { Outcome, Problem } from '@/lib/contract/problem'
import { countOf } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import { offerUndo } from '../../_ui/undo-toast'
import { callAction, formatReason } from '../forms/call-action'
import type { AnyRead } from '../reads/read-address'
import { undoChange } from './actions'
import type { Change } from './undoable'

/** undos: of the changes that can be undone, in the order in which they were made. stopped: why the other changes were not made. */
export type ChangesMade = { made: number; undos: readonly string[]; stopped: Problem | null }

/**
 * Makes several changes to one list, the last row first, and stops at the first failure. In this order the rows in front of each
 * changed row are still where they were when the list was read. Fails if no change was made. `onMade` gets how many were made so far.
 */
export async function makeChanges(changes: readonly Change[], onMade?: (made: number) => void): Promise<Outcome<ChangesMade>> {
  const undos: string[] = []
  let made = 0
  for (const { action, fields } of [...changes].reverse()) {
    const answer = await callAction(action, fields, { toEnd: true })
    if (!answer.ok) {
      return made === 0 ? { ok: false, problem: answer.problem } : { ok: true, data: { made, undos, stopped: answer.problem } }
    }
    made += 1
    onMade?.(made)
    if (answer.data.undo !== null) undos.push(answer.data.undo)
  }
  return { ok: true, data: { made, undos, stopped: null } }
}

type Aftermath = { noun: string; refetch: readonly AnyRead[] }

/** Reports what was done, and offers one Undo for all changes that `undos` names. */
export function showAllDone(message: string, undos: readonly string[], aftermath: Aftermath): void {
  if (undos.length === 0) toast(message)
  else offerUndo(message, () => void undoAll(undos, aftermath))
}

/** Undoes the newest change first, so that each undo finds the list as its change left it. A failed undo does not prevent the others. */
async function undoAll(undos: readonly string[], { noun, refetch }: Aftermath): Promise<void> {
  const problems: Problem[] = []
  for (const undoId of [...undos].reverse()) {
    const answer = await callAction(undoChange, { undoId }, { toEnd: true })
    if (!answer.ok) problems.push(answer.problem)
  }
  await refetchReads(refetch)
  const [first] = problems
  const restored = undos.length - problems.length
  if (first) toast.error(`${countOf(problems.length, noun)} of ${undos.length} could not be restored: ${formatReason(first)}`)
  else toast(restored === 1 ? `The ${noun} was restored.` : `${countOf(restored, noun)} were restored.`)
}
