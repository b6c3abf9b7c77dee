'use client'

import { useCallback, useSyncExternalStore } from 'react'

/** One value that any part of a page sets and others show. The page as the server sends it has the first one. */
export function createSharedValue<T>(first: T) {
  let value = first
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const read = () => value
  return {
    read,
    set: (next: T): void => {
      value = next
      for (const listener of listeners) listener()
    },
    useValue: (): T => useSyncExternalStore(subscribe, read, () => first),
  }
}

/** Whether the server-rendered page is hydrated; from then on browser values are known immediately. */
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
 * A value that the browser knows and the server does not; `first` stands for it until the page is hydrated. React's own hook renders
 * differing values again during hydration, before anything else can run; here that happens separately.
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
