'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { startOver } from './actions'

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
