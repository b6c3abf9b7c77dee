'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Card } from '@/app/_ui/section'
import { ActionForm } from '../../_shared/forms/action-form'
import { PasswordField } from '../../_shared/passwords/password-field'
import { Button } from '../../_ui/button'
import { toast } from '../../_ui/toast'
import { changePassword } from './actions'

export function PasswordForm({ email }: { email: string }) {
  const router = useRouter()
  // A submitted form is created again, so that no password stays in its fields.
  const [changes, setChanges] = useState(0)
  return (
    <Card className="p-4">
      <ActionForm
        key={changes}
        action={changePassword}
        onDone={({ ended }) => {
          toast(`Your password was changed. ${formatEnded(ended)}`)
          setChanges(changes + 1)
          router.refresh()
        }}
        className="flex flex-col items-start gap-4 *:w-full"
      >
        {(pending) => (
          <>
            {/* Tells password managers which account this is. */}
            <input type="hidden" name="username" autoComplete="username" value={email} />
            <PasswordField name="current" label="Current password" autoComplete="current-password" />
            <PasswordField
              label="New password"
              hint="At least 12 characters. All your other sessions are signed out."
              autoComplete="new-password"
              minLength={12}
            />
            <Button type="submit" disabled={pending} className="w-fit!">
              {pending ? 'Changing…' : 'Change password'}
            </Button>
          </>
        )}
      </ActionForm>
    </Card>
  )
}

const formatEnded = (ended: number): string =>
  ended === 0 ? 'No other session was active.' : ended === 1 ? 'One other session was ended.' : `${ended} other sessions were ended.`
