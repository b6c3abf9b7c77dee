'use client'

import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../_ui/button'
import { Input } from '../../_ui/input'
import { type LabelNoun, useLabels } from './use-labels'

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
