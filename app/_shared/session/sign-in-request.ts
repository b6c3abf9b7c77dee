'use client'

import { type MouseEvent, useSyncExternalStore } from 'react'
import type { Outcome } from '@/lib/contract/problem'

type Settle = (signedIn: boolean) => void

let waiting: readonly Settle[] = []
const listeners = new Set<() => void>()

function wait(next: readonly Settle[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** For the dialog: called when a request appears or disappears. */
export function subscribeToSignIn(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    // The user left the portal's pages: the next user to sign in may be another one and must not send this. React may immediately
    // remount a component that it only tried to unmount.
    setTimeout(() => listeners.size === 0 && settleSignIn(false))
  }
}

/** For the dialog: whether an action waits for the session. */
export const useSignInRequested = (): boolean =>
  useSyncExternalStore(
    subscribeToSignIn,
    () => waiting.length > 0,
    () => false,
  )

/** For the dialog: resolves all waiting actions, with whether the user signed in. */
export function settleSignIn(signedIn: boolean): void {
  const settled = waiting
  wait([])
  for (const settle of settled) settle(signedIn)
}

/** Asks for the password over the page. False if the dialog was closed, and on pages without it. */
export const requestSignIn = (): Promise<boolean> =>
  listeners.size === 0 ? Promise.resolve(false) : new Promise((resolve) => wait([...waiting, resolve]))

/** The portal refused before it did anything, so the same form may be sent again. */
export const isSignedOut = (answer: Outcome<unknown> | null): boolean => answer?.ok === false && answer.problem.code === 'signed_out'

/** For a link to the sign-in page. Read when the link is followed, because pages write filters and lines into the address. */
export function addReturnPath({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.href = `/sign-in?back=${encodeURIComponent(location.pathname + location.search)}${location.hash}`
}
