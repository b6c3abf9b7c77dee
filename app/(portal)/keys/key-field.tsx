'use client'

import type { ReactNode } from 'react'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'

/** Where an API key is pasted. It is never shown, stored by the browser or sent back. */
export function KeyField({ label, hint }: { label: string; hint: ReactNode }) {
  return (
    <Field name="apiKey" label={label} hint={hint}>
      {(control) => (
        <Input
          {...control}
          code
          type="password"
          required
          maxLength={4200}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-1p-ignore
          data-lpignore="true"
        />
      )}
    </Field>
  )
}
