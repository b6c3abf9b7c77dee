'use client'

import { useState } from 'react'
import { ActionForm } from '../../_shared/forms/action-form'
import { Button } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { Notice } from '../../_ui/notice'
import { forgot } from './actions'

/** The same answer for every address. */
export function ForgotForm() {
  const [sent, setSent] = useState(false)
  if (sent) {
    return (
      <Notice tone="info" alert title="Check your mail.">
        If this address belongs to a member, a link is on its way. It works once, within one hour.
      </Notice>
    )
  }
  return (
    <ActionForm action={forgot} onDone={() => setSent(true)} className="flex flex-col gap-4">
      {(pending) => (
        <>
          <Field name="email" label="Email">
            {(control) => <Input {...control} type="email" required autoComplete="username" maxLength={254} />}
          </Field>
          <Button type="submit" variant="primary" disabled={pending} className="mt-1 w-full">
            {pending ? 'Sending…' : 'Send link'}
          </Button>
        </>
      )}
    </ActionForm>
  )
}
