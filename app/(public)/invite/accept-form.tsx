'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { PasswordField } from '../../_shared/passwords/password-field'
import { Button, type ButtonVariant } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { accept, join, leave } from './actions'

type TokenFormProps = { token: string; label: string; variant: ButtonVariant }

/** One button, which needs only the link. */
const TokenForm = ({ action, token, label, variant }: TokenFormProps & { action: typeof join }) => (
  <ActionForm action={action} className="flex flex-col gap-4">
    {(pending) => (
      <>
        <input type="hidden" name="token" value={token} />
        <Button type="submit" variant={variant} disabled={pending} className="w-full">
          {label}
        </Button>
      </>
    )}
  </ActionForm>
)

export const JoinForm = ({ token, role }: { token: string; role: string }) => (
  <TokenForm action={join} token={token} label={`Join as ${role}`} variant="primary" />
)

export const LeaveForm = ({ token }: { token: string }) => <TokenForm action={leave} token={token} label="Sign out" variant="outline" />

type AcceptFormProps = { token: string; email: string; account: 'none' | 'password' }

/** A new account gets a name and a password; an existing one is proven by its password. */
export function AcceptForm({ token, email, account }: AcceptFormProps) {
  const accountExists = account === 'password'
  return (
    <ActionForm action={accept} className="flex flex-col gap-4">
      {(pending) => (
        <>
          <input type="hidden" name="token" value={token} />
          {/* For password managers: the address is the invitation's, whatever this field says. */}
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          {accountExists ? null : (
            <Field name="name" label="Your name" hint="Your team sees it in jobs and activity.">
              {(control) => <Input {...control} required maxLength={80} autoComplete="name" />}
            </Field>
          )}
          <PasswordField
            label="Password"
            hint={
              accountExists
                ? 'This address has an account: enter its password.'
                : 'At least 12 characters. A few words of your own are fine.'
            }
            autoComplete={accountExists ? 'current-password' : 'new-password'}
            {...(accountExists ? {} : { minLength: 12 })}
          />
          <Button type="submit" variant="primary" disabled={pending} className="mt-1 w-full">
            {pending ? 'Joining…' : 'Accept invitation'}
          </Button>
        </>
      )}
    </ActionForm>
  )
}
