'use client'

import { callAction, formatReason } from '../../_shared/forms/call-action'
import { useAction } from '../../_shared/forms/use-action'
import { portalRead } from '../../_shared/reads/read-address'
import { refetchReads } from '../../_shared/reads/refetch-reads'
import { countOf } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import { offerUndo } from '../../_ui/undo-toast'
import { changeServerLabels } from './actions'

export type LabelChange = 'add' | 'remove'

const opposite = { add: 'remove', remove: 'add' } as const

type Changed = { label: string; changed: number; givesAccess?: true }

function formatDone(change: LabelChange, { label, changed, givesAccess }: Changed): string {
  const servers = countOf(changed, 'server')
  const them = changed === 1 ? 'it' : 'them'
  if (change === 'add')
    return `Added the label “${label}” to ${servers}.${givesAccess ? ` Whoever has access by this label can reach ${them} now.` : ''}`
  return `Removed the label “${label}” from ${servers}.${givesAccess ? ` Access by this label no longer reaches ${them}.` : ''}`
}

const fieldsOf = (ids: readonly string[], change: LabelChange, label: string) => ({ ids: ids.join(' '), change, label })

/** Adds a label to servers or removes it, with an undo. Resolves with a refusal to show, or null. */
export function useLabels(onDone?: () => void): {
  pending: boolean
  change: (ids: readonly string[], change: LabelChange, label: string) => Promise<string | null>
} {
  const { pending, send } = useAction(changeServerLabels)
  const changedSome = () => {
    // Not awaited, because the list asks every service.
    void refetchReads([portalRead('/api/servers')])
    onDone?.()
  }

  async function change(ids: readonly string[], how: LabelChange, wanted: string): Promise<string | null> {
    const answer = await send(fieldsOf(ids, how, wanted))
    if (!answer) return null
    if (!answer.ok) return formatReason(answer.problem)
    changedSome()
    const { changed, label } = answer.data
    const message = formatDone(how, answer.data)
    // Only if it changed all of them does the opposite restore the previous state.
    if (changed === ids.length) offerUndo(message, () => void undo(ids, opposite[how], label))
    else toast(message)
    return null
  }

  async function undo(ids: readonly string[], how: LabelChange, label: string): Promise<void> {
    const answer = await callAction(changeServerLabels, fieldsOf(ids, how, label))
    if (!answer.ok) return toast.error(formatReason(answer.problem))
    changedSome()
    toast(formatDone(how, answer.data))
  }

  return { pending, change }
}
