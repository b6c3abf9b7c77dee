'use client'

import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'

/** The code of an authenticator app; where it is asked for after the set-up, a recovery code too. */
export function CodeField({ hint, autoFocus }: { hint?: string; autoFocus?: boolean }) {
  return (
    <Field name="code" label="Code" className="max-w-80" hint={hint ?? 'The six digits of your authenticator app, or a recovery code.'}>
      {(control) => (
        <Input
          {...control}
          code
          required
          autoFocus={autoFocus}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={64}
        />
      )}
    </Field>
  )
}
