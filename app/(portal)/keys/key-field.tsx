'use client'

import type { ReactNode } from 'react'
import { SecretInput } from '@/app/_ui/input'
import { Field } from '../../_ui/field'

/** Where an API key is pasted. It is never shown, stored by the browser or sent back. */
export function KeyField({ label, hint }: { label: string; hint: ReactNode }) {
  return (
    <Field name="apiKey" label={label} hint={hint}>
      {(control) => <SecretInput {...control} maxLength={4200} />}
    </Field>
  )
}
