'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '../../_ui/button'
import { useFormState } from '../../_ui/form-state'
import { callAction } from '../forms/call-action'
import { CodeField } from '../forms/code-field'
import { askToConfirm } from '../passkeys/actions'
import { PasskeyButton } from '../passkeys/passkey-button'
import { PasswordField } from '../passwords/password-field'
import { signInAfresh } from './actions'

const ways = ['password', 'passkey', 'code', 'signIn'] as const
type Way = (typeof ways)[number]

/** The ways to confirm that a refusal names, the usual one first; empty if it is about something else. */
export const waysIn = (fields: Readonly<Record<string, string>> = {}): Way[] => ways.filter((way) => fields[way] !== undefined)

const links: Record<Way, string> = {
  password: 'Use your password',
  passkey: 'Use a passkey',
  code: 'Use a code',
  signIn: 'Sign in again',
}

/**
 * Asks the user to confirm who they are, once an action has reported that the sign-in is not recent enough. `ways`: those that it named, if
 * the form shows no errors yet.
 */
export function StepUpField({ ways: given = [] }: { ways?: readonly Way[] }) {
  const { errors } = useFormState()
  const named = given.length > 0 ? given : waysIn(errors)
  const [asked, setAsked] = useState<readonly Way[]>([])
  const [chosen, setChosen] = useState<Way | null>(null)
  // Later refusals only name the way that was tried.
  if (asked.length === 0 && named.length > 0) setAsked(named)
  const shown = chosen ?? asked[0]
  if (shown === undefined) return null
  return (
    <div className="flex flex-col gap-2">
      {fields[shown]}
      {asked
        .filter((way) => way !== shown)
        .map((way) => (
          <button
            key={way}
            type="button"
            onClick={() => setChosen(way)}
            className="min-h-6 self-start rounded-control text-small text-accent underline hover:text-accent-hover"
          >
            {links[way]} instead
          </button>
        ))}
    </div>
  )
}

const fields: Record<Way, ReactNode> = {
  password: <PasswordField label="Your password" autoComplete="current-password" />,
  code: <CodeField hint="The six digits that your authenticator app shows now." />,
  passkey: <PasskeyButton label="Use a passkey" ask={askToConfirm} />,
  signIn: <SignInAfresh />,
}

/** For somebody who can confirm an action with nothing but a new sign-in: leads there, and back to this page. */
function SignInAfresh() {
  const leave = () => callAction(signInAfresh, { back: location.pathname + location.search + location.hash }, { repeatable: true })
  return (
    <div className="flex flex-col items-start gap-2">
      <p>Sign in again to continue. This page comes back afterwards, but not what you entered.</p>
      <Button onClick={() => void leave()}>Sign in again</Button>
    </div>
  )
}
