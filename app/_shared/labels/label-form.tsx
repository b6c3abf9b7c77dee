'use client'

import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../_ui/button'
import { countOf } from '../../_ui/count'
import { Input } from '../../_ui/input'
import { toast } from '../../_ui/toast'
import { offerUndo } from '../../_ui/undo-toast'
import { useAction } from '../forms/action-form'
import { callAction, formatReason } from '../forms/call-action'
import { portalRead } from '../reads/read-address'
import { refetchReads } from '../reads/use-read'
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

type LabelFormProps = {
  noun: LabelNoun
  ids: readonly string[]
  /** Labels that the team uses already, as suggestions. */
  known: readonly string[]
  /** Which of them give access. */
  giving?: readonly string[]
  mayGrant?: boolean
  onDone: () => void
}

/** One field: the label to add to these servers or sites. */
export function LabelForm({ noun, ids, known, giving = [], mayGrant = false, onDone }: LabelFormProps) {
  const id = useId()
  // An undone label changes the list too.
  const { pending, change } = useLabels(noun, onDone)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const gives = giving.includes(typed.toLowerCase().replace(/\s+/g, ' ').trim())

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const label = String(new FormData(event.currentTarget).get('label') ?? '')
    if (pending) return
    const refused = await change(ids, 'add', label)
    setRefusal(refused)
  }

  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-1">
      <label htmlFor={id} className="text-small font-semibold">
        Label
      </label>
      <div className="flex gap-2">
        <Input
          id={id}
          name="label"
          list={`${id}-known`}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={64}
          required
          autoFocus
          aria-invalid={refusal ? true : undefined}
          aria-describedby={refusal ? `${id}-error` : `${id}-hint`}
          onInput={(event) => {
            setRefusal(null)
            setTyped(event.currentTarget.value)
          }}
        />
        <Button type="submit" variant="primary" disabled={pending}>
          Add label
        </Button>
      </div>
      <datalist id={`${id}-known`}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {refusal ? (
        <p id={`${id}-error`} role="alert" className="text-small text-danger">
          {refusal}
        </p>
      ) : (
        <p id={`${id}-hint`} className="text-small text-muted">
          {gives ? meaningOf(mayGrant) : 'Such as production, or client: northwind. Stored in lower case.'}
        </p>
      )}
    </form>
  )
}

const meaningOf = (mayGrant: boolean): string =>
  mayGrant
    ? 'This label gives access: whoever has access by it can reach what it is put on.'
    : 'This label gives access. A team owner or admin can add and remove it.'
