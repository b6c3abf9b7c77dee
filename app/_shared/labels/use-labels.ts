'use client'

import { refetchReads } from '@/app/_shared/reads/use-read'
import { countOf } from '../../_ui/count'
import { toast } from '../../_ui/toast'
import { offerUndo } from '../../_ui/undo-toast'
import { callAction, formatReason } from '../forms/call-action'
import { useAction } from '../forms/use-action'
import { portalRead } from '../reads/read-address'
import { changeServerLabels, changeSiteLabels } from './actions'

type LabelChange = 'add' | 'remove'

const opposite = { add: 'remove', remove: 'add' } as const

/** What can have labels. */
export type LabelNoun = 'server' | 'site'

const kinds = {
  server: { action: changeServerLabels, list: portalRead('/api/servers') },
  site: { action: changeSiteLabels, list: portalRead('/api/sites') },
} as const

type Changed = { label: string; changed: number; givesAccess?: true }

function formatDone(noun: LabelNoun, change: LabelChange, { label, changed, givesAccess }: Changed): string {
  const all = countOf(changed, noun)
  const them = changed === 1 ? 'it' : 'them'
  if (change === 'add')
    return `Added the label “${label}” to ${all}.${givesAccess ? ` Whoever has access by this label can reach ${them} now.` : ''}`
  return `Removed the label “${label}” from ${all}.${givesAccess ? ` Access by this label no longer reaches ${them}.` : ''}`
}

const fieldsOf = (ids: readonly string[], change: LabelChange, label: string) => ({ ids: ids.join(' '), change, label })

/** Adds a label to servers or sites or removes it, with an undo. Resolves with a refusal to show, or null. */
export function useLabels(
  noun: LabelNoun,
  onDone?: () => void,
): {
  pending: boolean
  change: (ids: readonly string[], change: LabelChange, label: string) => Promise<string | null>
} {
  const { action, list } = kinds[noun]
  const { pending, send } = useAction(action)
  const changedSome = () => {
    // Not awaited, because the list asks every service.
    void refetchReads([list])
    onDone?.()
  }

  async function change(ids: readonly string[], how: LabelChange, wanted: string): Promise<string | null> {
    const answer = await send(fieldsOf(ids, how, wanted))
    if (!answer) return null
    if (!answer.ok) return formatReason(answer.problem)
    changedSome()
    const { changed, label } = answer.data
    const message = formatDone(noun, how, answer.data)
    // Only if it changed all of them does the opposite restore the previous state.
    if (changed === ids.length) offerUndo(message, () => void undo(ids, opposite[how], label))
    else toast(message)
    return null
  }

  async function undo(ids: readonly string[], how: LabelChange, label: string): Promise<void> {
    const answer = await callAction(action, fieldsOf(ids, how, label))
    if (!answer.ok) return toast.error(formatReason(answer.problem))
    changedSome()
    toast(formatDone(noun, how, answer.data))
  }

  return { pending, change }
}
