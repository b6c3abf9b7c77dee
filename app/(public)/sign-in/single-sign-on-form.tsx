'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { Button } from '../../_ui/button'
import { signInBySingleSignOn } from './actions'

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
