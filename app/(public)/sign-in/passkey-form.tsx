'use client'

import { ActionForm } from '../../_shared/forms/action-form'
import { startPasskeySignIn } from '../../_shared/passkeys/actions'
import { PasskeyButton } from '../../_shared/passkeys/passkey-button'
import { enterPasskey } from './actions'

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
