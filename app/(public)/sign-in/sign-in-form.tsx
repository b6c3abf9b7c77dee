'use client'

import Link from 'next/link'
import { ActionForm } from '../../_shared/forms/action-form'
import { PasswordField } from '../../_shared/passwords/password-field'
import { useBrowserValue } from '../../_ui/browser-value'
import { Button } from '../../_ui/button'
import { Field } from '../../_ui/field'
import { Input } from '../../_ui/input'
import { signIn } from './actions'

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
