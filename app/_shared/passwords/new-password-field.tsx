'use client'

import { accountPassword } from '@/lib/contract/fields'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { limitsOf } from '../forms/field-limits'

/** Letters and digits that are not confused with each other in any font. */
const signs = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const length = 20

/** A password of 116 bits, to be shown once. */
export function createPassword(): string {
  // Bytes beyond the last complete multiple would favour the first characters.
  const fair = 256 - (256 % signs.length)
  let made = ''
  while (made.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && made.length < length) made += signs[byte % signs.length] ?? ''
    }
  }
  return made
}

type NewPasswordFieldProps = {
  name: string
  /** Whom the password is for: "this user". */
  what: string
  value: string
  onChange: (value: string) => void
}

/** A password for an account on a server: generated, visible, and free to be replaced. */
export const NewPasswordField = ({ name, what, value, onChange }: NewPasswordFieldProps) => (
  <Field
    name={name}
    label="Password"
    hint={`Generated for ${what}. You can enter another one with at least ${accountPassword.minLength} characters.`}
    aside={
      <button
        type="button"
        onClick={() => onChange(createPassword())}
        className="-my-1 inline-flex min-h-6 items-center rounded-control text-small text-accent underline hover:text-accent-hover"
      >
        Generate another
      </button>
    }
  >
    {(control) => (
      <Input
        {...control}
        {...limitsOf(accountPassword)}
        code
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
)
