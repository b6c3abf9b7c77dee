'use client'

import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Outcome, problem } from '@/lib/contract/problem'
import { Button } from '../../_ui/button'
import { useFormState } from '../../_ui/form-state'
import { type Action, callAction } from '../forms/call-action'

/** Lets the browser ask the user for a passkey. The answer as text, for a form's field `passkey`; or why there is none. */
export async function provePasskey(ask: Action<Outcome<{ options: PublicKeyCredentialRequestOptionsJSON }>>): Promise<Outcome<string>> {
  const asked = await callAction(ask, {}, { repeatable: true })
  if (!asked.ok) return asked
  return attempt(async ({ startAuthentication }) => startAuthentication({ optionsJSON: asked.data.options }))
}

/** Lets the browser create a passkey. */
export const createPasskey = (optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<Outcome<string>> =>
  attempt(async ({ startRegistration }) => startRegistration({ optionsJSON }))

type Library = typeof import('@simplewebauthn/browser')

async function attempt(run: (library: Library) => Promise<unknown>): Promise<Outcome<string>> {
  try {
    const library = await import('@simplewebauthn/browser')
    if (!library.browserSupportsWebAuthn()) return refuse('This browser does not support passkeys.')
    return { ok: true, data: JSON.stringify(await run(library)) }
  } catch (error) {
    return refuse((error instanceof Error && sentences[error.name]) || 'The passkey could not be used. Try again.')
  }
}

/** By the name of the error that browsers report. */
const sentences: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: it was cancelled, it took too long, or this device has none for your account.',
  AbortError: 'No passkey was used: it was cancelled.',
  InvalidStateError: 'This device has a passkey for your account already.',
  ConstraintError: 'This device cannot keep passkeys that ask for your finger, face or PIN.',
  NotSupportedError: 'This device does not support passkeys.',
  SecurityError: 'Passkeys only work at the address that is set for this portal.',
}

const refuse = (sentence: string) => ({ ok: false, problem: problem('invalid', { sentence }) }) as const

type PasskeyButtonProps = { label: string; ask: Parameters<typeof provePasskey>[0]; disabled?: boolean; className?: string }

/** Inside a form: asks for a passkey, and sends the form with it in the field `passkey`. */
export function PasskeyButton({ label, ask, disabled = false, className }: PasskeyButtonProps) {
  const { pending, errors } = useFormState()
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const refused = failure ?? (asking ? null : errors.passkey)
  async function prove(): Promise<void> {
    setFailure(null)
    setAsking(true)
    const proven = await provePasskey(ask)
    setAsking(false)
    if (!proven.ok) return setFailure(proven.problem.sentence)
    if (!field.current) return
    // It answers one challenge, so it is sent once.
    field.current.value = proven.data
    field.current.form?.requestSubmit()
    field.current.value = ''
  }
  return (
    <div className="flex flex-col gap-1">
      <input ref={field} type="hidden" name="passkey" defaultValue="" />
      <Button onClick={() => void prove()} disabled={disabled || asking || pending} className={className}>
        <KeyRound aria-hidden size={16} strokeWidth={1.5} />
        {asking ? 'Waiting for your passkey…' : label}
      </Button>
      {refused ? (
        <p role="alert" className="text-small text-danger">
          {refused}
        </p>
      ) : null}
    </div>
  )
}
