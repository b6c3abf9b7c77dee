'use client'

import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { type Outcome, problem } from '@/lib/contract/problem'
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
