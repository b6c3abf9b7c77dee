'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { ConfirmForm, NewCodes } from '@/app/_shared/second-factor/confirm-form'
import { Button, ButtonLink } from '@/app/_ui/button'
import type { TotpToAdd } from '@/lib/portal/identity/second-factor/totp'
import { confirmFirstAuthenticator, startFirstAuthenticator } from '../actions'
import { StartOver } from '../code-form'

type SetUpProps = { email: string; team: string; back: string; signedIn: boolean }

/** An authenticator app, its first code, then the recovery codes, which are only in this component's state. */
export function SetUp({ email, team, back, signedIn }: SetUpProps) {
  const router = useRouter()
  const [adding, setAdding] = useState<TotpToAdd | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <NewCodes codes={codes} onDone={() => router.replace(back)} />
  if (signedIn) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p className="text-muted">You are signed in, and your second factor is set up.</p>
        <ButtonLink href={back}>Continue</ButtonLink>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {adding ? (
        <ConfirmForm adding={adding} action={confirmFirstAuthenticator} onDone={setCodes} onCancel={() => setAdding(null)} />
      ) : (
        <>
          <p className="break-words text-muted">
            You need a second factor in {team}. From now on, signing in as <span className="text-ink">{email}</span> also asks for a code
            from an authenticator app on your phone.
          </p>
          <ActionForm action={startFirstAuthenticator} onDone={setAdding} className="flex flex-col gap-4">
            {(pending) => (
              <Button type="submit" variant="primary" disabled={pending} className="w-full">
                Set up authenticator app
              </Button>
            )}
          </ActionForm>
        </>
      )}
      <StartOver back={back} />
    </div>
  )
}
