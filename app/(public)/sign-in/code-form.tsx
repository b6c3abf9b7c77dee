'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { CodeField } from '../../_shared/forms/code-field'
import { Button } from '../../_ui/button'
import { enterCode } from './actions'
import { StartOver } from './start-over'

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
