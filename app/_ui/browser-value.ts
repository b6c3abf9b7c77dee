'use client'

import { useCallback, useSyncExternalStore } from 'react'

/** Whether what the server drew has come to life; from then on what it could not know is known at once. */
let hydrated = false
const waiting = new Set<() => void>()

function whenHydrated(listener: () => void): () => void {
  if (hydrated) return () => undefined
  if (waiting.size === 0) setTimeout(markHydrated)
  waiting.add(listener)
  return () => waiting.delete(listener)
}

function markHydrated(): void {
  hydrated = true
  for (const listener of waiting) listener()
  waiting.clear()
}

/**
 * Something the browser knows and the server does not; `first` stands for it until the page is alive. React's own hook
 * draws what differs again while it hydrates, before anything else is let in; here that is a moment of its own.
 */
export function useBrowserValue<T>(subscribe: (listener: () => void) => () => void, read: () => T, first: T): T {
  const subscribeBoth = useCallback(
    (listener: () => void) => {
      const forget = whenHydrated(listener)
      const unsubscribe = subscribe(listener)
      return () => {
        forget()
        unsubscribe()
      }
    },
    [subscribe],
  )
  return useSyncExternalStore(
    subscribeBoth,
    () => (hydrated ? read() : first),
    () => first,
  )
}
