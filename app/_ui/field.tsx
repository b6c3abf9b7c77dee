'use client'

import { clsx } from 'clsx'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useFormState } from './form-state'

/** The props a control inside a field has to apply. */
type ControlProps = {
  id: string
  name: string
  /** The value sent last, if the page was rendered again without scripts. */
  defaultValue?: string
  'aria-invalid'?: true
  'aria-describedby'?: string
  onInvalid: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
  onInput: () => void
}

type FieldProps = {
  name: string
  label: string
  hint?: ReactNode
  optional?: boolean
  className?: string
  /** Something small at the right end of the label's line. */
  aside?: ReactNode
  children: (control: ControlProps) => ReactNode
}

/** A label, a control, a hint and, if the value is wrong, the reason. */
export function Field({ name, label, hint, optional, className, aside, children }: FieldProps) {
  const id = useId()
  const { errors, values, pending } = useFormState()
  const [ownError, setOwnError] = useState<string | null>(null)
  const [edited, setEdited] = useState<string | undefined>(undefined)
  const refused = errors[name]
  // A refusal applies to the value that was sent: it disappears once that value is edited, until a new answer arrives.
  const error = ownError ?? (refused && edited !== refused ? refused : null)
  const describedBy = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  if (pending && edited !== undefined) setEdited(undefined)
  const control: ControlProps = {
    id,
    name,
    ...(values[name] === undefined ? {} : { defaultValue: values[name] }),
    ...(error ? { 'aria-invalid': true as const } : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    onInvalid: (event) => {
      event.preventDefault()
      setOwnError(formatValidity(event.currentTarget, label))
    },
    onInput: () => {
      setOwnError(null)
      setEdited(refused)
    },
  }
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-small font-semibold">
          {label}
          {optional ? <span className="font-normal text-muted"> (optional)</span> : null}
        </label>
        {aside}
      </div>
      {children(control)}
      {error ? (
        <p id={`${id}-error`} className="text-small text-danger">
          {error}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  )
}

function formatValidity(control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, label: string): string {
  const { validity } = control
  if (validity.valueMissing) return control.title || `Enter ${asObject(label)}.`
  if (validity.rangeUnderflow || validity.rangeOverflow || validity.badInput) return `${label} must be a number within the allowed range.`
  if (validity.tooShort) return `${label} is too short.`
  if (validity.typeMismatch) return `${label} is incomplete.`
  return control.title || control.validationMessage
}

/** "Your name" → "your name", "Email" → "the email", "API key" → "the API key". */
function asObject(label: string): string {
  const inside = /^[A-Z][a-z]/.test(label) ? label[0]?.toLowerCase() + label.slice(1) : label
  return inside.startsWith('your ') ? inside : `the ${inside}`
}
