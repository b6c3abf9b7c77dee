'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { PasswordField } from '../../_shared/passwords/password-field'
import { Button } from '../../_ui/button'
import { recover } from './actions'

export function RecoverForm({ token }: { token: string }) {
  return (
    <ActionForm action={recover} className="flex flex-col gap-4">
      {(pending) => (
        <>
          <input type="hidden" name="token" value={token} />
          <PasswordField
            label="New password"
            hint="At least 12 characters. A few words of your own are fine."
            autoComplete="new-password"
            minLength={12}
          />
          <Button type="submit" variant="primary" disabled={pending} className="mt-1 w-full">
            {pending ? 'Saving…' : 'Save password'}
          </Button>
        </>
      )}
    </ActionForm>
  )
}
