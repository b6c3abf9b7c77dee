'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { PasswordField } from '../../_shared/passwords/password-field'
import { Button } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { setUp } from './actions'

/** `asksForKey`: the portal was started with a foreign service, whose API key has to be entered. */
export function SetUpForm({ token, asksForKey }: { token: string; asksForKey: boolean }) {
  return (
    <ActionForm action={setUp} className="flex flex-col gap-4">
      {(pending) => (
        <>
          <input type="hidden" name="token" value={token} />
          <Field name="teamName" label="Team" hint="Who these servers belong to.">
            {(control) => <Input {...control} required maxLength={80} autoComplete="organization" />}
          </Field>
          <Field name="name" label="Your name">
            {(control) => <Input {...control} required maxLength={80} autoComplete="name" />}
          </Field>
          <Field name="email" label="Email" hint="You sign in with it.">
            {(control) => <Input {...control} type="email" required autoComplete="username" maxLength={254} />}
          </Field>
          <PasswordField
            label="Password"
            hint="At least 12 characters. A few words of your own are fine."
            autoComplete="new-password"
            minLength={12}
          />
          {asksForKey ? (
            <Field name="apiKey" label="API key" hint="For the service named by UPSTREAM_URL. It is encrypted and never shown again.">
              {(control) => <Input {...control} code type="password" required autoComplete="off" />}
            </Field>
          ) : null}
          <Button type="submit" variant="primary" disabled={pending} className="mt-1 w-full">
            {pending ? 'Creating the account…' : 'Create account'}
          </Button>
        </>
      )}
    </ActionForm>
  )
}
