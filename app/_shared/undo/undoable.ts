'use client'

import { toast } from '../../_ui/toast'
import { offerUndo } from '../../_ui/undo-toast'
import { showProblem } from '../access-requests/held'
import { type Action, type AnyActionResult, callAction, formatReason } from '../forms/call-action'
import type { AnyRead } from '../reads/read-address'
import { undoChange } from './actions'

type Aftermath = {
  /** The reads that show it. */
  refetch: readonly AnyRead[]
  /** Wraps the change, and the undo, while it runs. */
  during?: (work: () => Promise<void>) => Promise<void>
}

/** The answer to an undoable change: the id that undoes it, if there is one. */
export type Undoable = AnyActionResult & ({ ok: true; data: { undo: string | null } } | { ok: false })

/** A change and its fields. */
export type Change = { action: Action<Undoable>; fields: Readonly<Record<string, string>> }

const atOnce = (work: () => Promise<void>) => work()

/** Makes a change that needs no form, reports the result, and offers Undo. */
export const callUndoable = (
  action: Action<Undoable>,
  fields: Readonly<Record<string, string>>,
  { message, refetch, during = atOnce }: Aftermath & { message: string },
): Promise<void> =>
  during(async () => {
    const answer = await callAction(action, fields, { refetch, toEnd: true })
    if (answer.ok) showDone(message, answer.data.undo, { refetch, during })
    else showProblem(answer.problem, formatReason(answer.problem))
  })

/** Reports what was done, and offers Undo if `undo` has an id. */
export function showDone(message: string, undo: string | null, { refetch, during = atOnce }: Aftermath): void {
  if (undo === null) toast(message)
  else offerUndo(message, () => void during(() => undoNow(undo, refetch)))
}

async function undoNow(undoId: string, refetch: readonly AnyRead[]): Promise<void> {
  const answer = await callAction(undoChange, { undoId }, { refetch, toEnd: true })
  if (answer.ok) toast(answer.data.message)
  else showProblem(answer.problem, formatReason(answer.problem))
}
