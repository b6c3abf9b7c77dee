'use client'

import { type ReactNode, useState } from 'react'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'

type PasswordFieldProps = {
  /** `password` unless the form has two. */
  name?: string
  label: string
  hint?: ReactNode
  autoComplete: 'current-password' | 'new-password'
  minLength?: number
}

/** A password field whose text can be shown while typing. */
export function PasswordField({ name = 'password', label, hint, autoComplete, minLength }: PasswordFieldProps) {
  const [seen, setSeen] = useState(false)
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      aside={
        <button
          type="button"
          aria-pressed={seen}
          onClick={() => setSeen(!seen)}
          className="-my-1 inline-flex min-h-6 items-center rounded-control text-small text-accent underline hover:text-accent-hover"
        >
          {seen ? 'Hide' : 'Show'}
          <span className="sr-only"> what is typed</span>
        </button>
      }
    >
      {(control) => (
        <Input
          {...control}
          type={seen ? 'text' : 'password'}
          required
          autoComplete={autoComplete}
          autoCapitalize="off"
          spellCheck={false}
          minLength={minLength}
          maxLength={256}
        />
      )}
    </Field>
  )
}
