'use client'

import { Check, X } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../_ui/button'
import { countOf, pluralOf } from '../../_ui/count'
import { Field } from '../../_ui/field'
import { TextArea } from '../../_ui/input'
import { Notice } from '../../_ui/notice'
import { Link } from '../../_ui/page-link'
import { focusIfLost } from '../forms/keep-focus'
import { useSettled } from '../reads/use-settled'
import { type RefusedName, readNames } from './pasted-names'
import { type AddedName, type AddMany, useAddMany } from './use-add-many'

export type AddManyFormProps = AddMany & {
  /** Singular: "alias". */
  noun: string
  placeholder: string
  /** The names that are there. */
  known: readonly string[]
  clean: (given: string) => string
  identify: (name: string) => string
  /** Why a text cannot be such a name; null if it can, and for what only the service knows. */
  refuse: (name: string) => string | null
}

/** So that a name is not judged while it is typed. */
const settledMs = 600

/** Adds one name, or many that are pasted. Each is checked first; those that were refused stay in the field, with their reasons below. */
export function AddManyForm({ noun, placeholder, known, clean, identify, refuse, ...request }: AddManyFormProps) {
  const [text, setText] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const { names, batchId, problem, adding, add } = useAddMany(request)
  const reading = { known, clean, identify, refuse }
  const { fresh, repeated, known: present, refused } = readNames(text, reading)
  const settled = useSettled(text, settledMs)
  const reasons = settled === text && !adding ? refused : []

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (adding || fresh.length === 0) return
    const failed = await add(fresh)
    setText([...failed, ...refused.map(({ name }) => name)].join('\n'))
    focusIfLost(() => form.current?.querySelector('textarea'))
  }

  return (
    <form ref={form} onSubmit={(event) => void submit(event)} className="flex max-w-[640px] flex-col gap-3" aria-busy={adding}>
      <Field
        name="names"
        label={`Add ${pluralOf(noun)}`}
        hint={<span role="status">{adding ? '' : describe(repeated, present) || 'Separate several with spaces, commas or lines.'}</span>}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={Math.min(8, Math.max(2, text.split('\n').length))}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            readOnly={adding}
            placeholder={placeholder}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Refused names={reasons} />
      <div>
        <Button type="submit" variant="primary" disabled={adding || fresh.length === 0}>
          {adding ? 'Adding…' : fresh.length > 1 ? `Add ${countOf(fresh.length, noun)}` : `Add ${noun}`}
        </Button>
      </div>
      {problem === '' ? null : <Notice tone="warn" alert title={problem} />}
      <Outcomes names={names} />
      {adding && batchId !== null ? (
        <p className="text-small text-muted">
          You can leave this page.{' '}
          <Link href={`/jobs/batches/${batchId}`} className="text-accent hover:underline">
            View progress
          </Link>
        </p>
      ) : null}
    </form>
  )
}

/** Which of the names are skipped, and why. */
function describe(repeated: readonly string[], present: readonly string[]): string {
  const named = (names: readonly string[]) => `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
  const skipped = [
    ...(present.length > 0 ? [`${named(present)} (already there)`] : []),
    ...(repeated.length > 0 ? [`${named([...new Set(repeated)])} (given twice)`] : []),
  ]
  return skipped.length === 0 ? '' : `Skipped: ${skipped.join('; ')}.`
}

const Refused = ({ names }: { names: readonly RefusedName[] }) => (
  <ul aria-label="Cannot be added" aria-live="polite" className="flex max-h-72 flex-col gap-1 overflow-y-auto text-small empty:hidden">
    {names.map(({ name, reason }) => (
      <li key={name} className="wrap-anywhere">
        <span className="font-semibold">{name}</span> <span className="text-danger">{reason}</span>
      </li>
    ))}
  </ul>
)

const labels = { waiting: 'Waiting', adding: 'Adding…', added: 'Added', failed: 'Not added' }

function Outcomes({ names }: { names: readonly AddedName[] }) {
  if (names.length === 0) return null
  return (
    <ul aria-label="Outcome" aria-live="polite" className="flex max-h-72 flex-col gap-1 overflow-y-auto text-small">
      {names.map(({ name, state, reason }) => (
        <li key={name} className="flex items-start gap-2">
          <span className="flex h-5 w-4 shrink-0 items-center justify-center">
            {state === 'added' ? <Check aria-hidden size={16} strokeWidth={1.5} className="text-ok" /> : null}
            {state === 'failed' ? <X aria-hidden size={16} strokeWidth={1.5} className="text-danger" /> : null}
            {state === 'adding' ? <span aria-hidden className="size-2 animate-pulse-dot rounded-chip bg-accent" /> : null}
          </span>
          <span className="min-w-0 wrap-anywhere">
            <span className="font-semibold">{name}</span>{' '}
            <span className={state === 'failed' ? 'text-danger' : 'text-muted'}>{reason || labels[state]}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
