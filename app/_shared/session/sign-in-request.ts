'use client'

import { useSyncExternalStore } from 'react'
import type { Outcome } from '@/lib/contract/problem'

type Settle = (signedIn: boolean) => void

let waiting: readonly Settle[] = []
const listeners = new Set<() => void>()

function wait(next: readonly Settle[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** For whoever shows the question: told when it comes and goes. */
export function subscribeToSignIn(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    // The pages of the portal were left: whoever signs in next may be somebody else, and sends nothing of this. React may
    // come back at once to a part that it only tries.
    setTimeout(() => listeners.size === 0 && settleSignIn(false))
  }
}

/** For the dialog: whether somebody waits for the session to come back. */
export const useSignInRequested = (): boolean =>
  useSyncExternalStore(
    subscribeToSignIn,
    () => waiting.length > 0,
    () => false,
  )

/** For the dialog: all who wait go on, or are told that nobody signed in. */
export function settleSignIn(signedIn: boolean): void {
  const settled = waiting
  wait([])
  for (const settle of settled) settle(signedIn)
}

/** Asks for the password over the page. False where the dialog was left, and on pages that have none. */
export const requestSignIn = (): Promise<boolean> =>
  listeners.size === 0 ? Promise.resolve(false) : new Promise((resolve) => wait([...waiting, resolve]))

/** The portal refused before it did anything: the same form may be sent again. */
export const isSignedOut = (answer: Outcome<unknown> | null): boolean => answer?.ok === false && answer.problem.code === 'signed_out'
