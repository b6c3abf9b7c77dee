'use client'

import Link from 'next/link'
import { ActionForm } from '../../_shared/forms/action-form'
import { startPasskeySignIn } from '../../_shared/passkeys/actions'
import { PasskeyButton } from '../../_shared/passkeys/use-passkey'
import { PasswordField } from '../../_shared/passwords/password-field'
import { useBrowserValue } from '../../_ui/browser-value'
import { Button } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { enterPasskey, signIn, signInBySingleSignOn } from './actions'

/** A passkey, instead of the password or after it. `back`: the page to return to. */
export function PasskeyForm({ label, back }: { label: string; back: string }) {
  return (
    <>
      <p
        aria-hidden
        className="my-4 flex items-center gap-3 text-small text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
      >
        or
      </p>
      <ActionForm action={enterPasskey} repeatable>
        {(pending) => (
          <>
            <input type="hidden" name="back" value={back} />
            <PasskeyButton label={label} ask={startPasskeySignIn} disabled={pending} className="w-full" />
          </>
        )}
      </ActionForm>
    </>
  )
}

/** `name`: what the identity provider is called. `back`: the page to return to. `prove`: the provider has to ask for the password again. */
export function SingleSignOnForm({ name, back, prove }: { name: string; back: string; prove: boolean }) {
  return (
    <ActionForm action={signInBySingleSignOn} repeatable className="mt-4 border-t border-line pt-4">
      {(pending) => (
        <>
          <input type="hidden" name="back" value={back} />
          {prove ? <input type="hidden" name="prove" value="yes" /> : null}
          <Button type="submit" variant="outline" disabled={pending} className="w-full">
            {pending ? 'Redirecting…' : `Sign in with ${name}`}
          </Button>
        </>
      )}
    </ActionForm>
  )
}

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** `back`: the page to return to. Browsers keep its fragment through the redirect, so it is in this page's own address. */
export function SignInForm({ back }: { back: string }) {
  const fragment = useBrowserValue(onHashChange, () => location.hash, '')
  return (
    <ActionForm action={signIn} repeatable className="flex flex-col gap-4">
      {(pending) => (
        <>
          <input type="hidden" name="back" value={back.includes('#') ? back : back + fragment} />
          <Field name="email" label="Email">
            {(control) => <Input {...control} type="email" required autoComplete="username" maxLength={254} />}
          </Field>
          <PasswordField label="Password" autoComplete="current-password" />
          <Button type="submit" variant="primary" disabled={pending} className="mt-1 w-full">
            {pending ? 'Signing in…' : 'Sign in'}
          </Button>
          <Link href="/forgot" prefetch={false} className="self-start text-small text-accent underline hover:text-accent-hover">
            Forgot password?
          </Link>
        </>
      )}
    </ActionForm>
  )
}
