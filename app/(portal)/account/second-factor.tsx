'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useRef, useState } from 'react'
import { StartButton } from '@/app/_shared/forms/start-button'
import { ConfirmForm, NewCodes } from '@/app/_shared/second-factor/confirm-form'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import type { TotpToAdd, TotpView } from '@/lib/portal/identity/second-factor/totp'
import type { FactorsView } from '@/lib/portal/identity/second-factor/view'
import { confirmAuthenticator, removeAuthenticator, renewRecoveryCodes, startAuthenticator } from './actions'
import { Passkeys } from './passkeys'

/** Passkeys, an authenticator app, and the recovery codes of both. What is shown once is only in this component's state. */
export function SecondFactor({ totp, passkeys, noPasskeys, codesLeft, stays }: FactorsView) {
  const router = useRouter()
  const [adding, setAdding] = useState<TotpToAdd | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const whole = useRef<HTMLDivElement>(null)
  /** Closes the form or the codes and takes the focus, since what had it is gone. */
  function close(): void {
    setAdding(null)
    setCodes(null)
    whole.current?.focus()
  }
  function show(next: readonly string[]): void {
    setAdding(null)
    setCodes(next.length > 0 ? next : null)
    router.refresh()
  }
  return (
    <>
      <Passkeys passkeys={passkeys} absent={noPasskeys} stays={stays.passkey} onCodes={show} />
      <Section title="Second factor" anchor="second-factor">
        <Card ref={whole} tabIndex={-1} className="flex flex-col gap-4 p-4 outline-none">
          {adding && !totp ? (
            <ConfirmForm adding={adding} action={confirmAuthenticator} onDone={show} onCancel={close} />
          ) : totp ? (
            <Present totp={totp} stays={stays.app} />
          ) : (
            <>
              <p className="text-muted">With an authenticator app, signing in asks for a code from your phone after your password.</p>
              <div>
                <StartButton
                  action={startAuthenticator}
                  target={{}}
                  label="Set up authenticator app"
                  variant="outline"
                  onDone={setAdding}
                />
              </div>
            </>
          )}
          {totp || passkeys.length > 0 ? <RecoveryCodes left={codesLeft} onCodes={show} /> : null}
          {codes && (totp || passkeys.length > 0) ? <NewCodes codes={codes} onDone={close} /> : null}
        </Card>
      </Section>
    </>
  )
}

function Present({ totp: { since }, stays }: { totp: TotpView; stays: string | null }) {
  const router = useRouter()
  return (
    <Row
      title="Authenticator app"
      note={
        <>
          Set up <RelativeTime at={since} />.
        </>
      }
    >
      <StartButton
        action={removeAuthenticator}
        target={{}}
        label="Remove"
        variant="danger"
        refusal={stays ?? undefined}
        message={() => 'The authenticator app was removed.'}
        onDone={router.refresh}
      />
    </Row>
  )
}

function RecoveryCodes({ left, onCodes }: { left: number; onCodes: (codes: readonly string[]) => void }) {
  return (
    <Row title="Recovery codes" note={formatLeft(left)}>
      <StartButton
        action={renewRecoveryCodes}
        target={{}}
        label="New recovery codes"
        variant="outline"
        message={() => 'The former recovery codes no longer work.'}
        onDone={(data) => onCodes(data.codes)}
      />
    </Row>
  )
}

function Row({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="font-semibold">{title}</p>
        <p className="text-small text-muted">{note}</p>
      </div>
      {children}
    </div>
  )
}

const formatLeft = (left: number): string => (left === 1 ? 'One recovery code is left.' : `${left} recovery codes are left.`)
