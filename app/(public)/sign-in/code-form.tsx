'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { CodeField } from '../../_shared/forms/code-field'
import { Button } from '../../_ui/button'
import { enterCode, startOver } from './actions'

/** The second step of signing in. `back`: the page to return to. */
export function CodeForm({ email, back }: { email: string; back: string }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted break-words">
        Signing in as <span className="text-ink">{email}</span>
      </p>
      <ActionForm action={enterCode} className="flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="back" value={back} />
            <CodeField autoFocus />
            <Button type="submit" variant="primary" disabled={pending} className="mt-1 w-full">
              {pending ? 'Checking…' : 'Continue'}
            </Button>
          </>
        )}
      </ActionForm>
      <StartOver back={back} />
    </div>
  )
}

/** Forgets the password that was entered, so that somebody else can sign in. */
export const StartOver = ({ back }: { back: string }) => (
  <ActionForm action={startOver} repeatable>
    {(pending) => (
      <>
        <input type="hidden" name="back" value={back} />
        <button
          type="submit"
          disabled={pending}
          className="min-h-6 rounded-control text-small text-accent underline hover:text-accent-hover"
        >
          Sign in as someone else
        </button>
      </>
    )}
  </ActionForm>
)
