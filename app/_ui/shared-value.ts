'use client'

import { useSyncExternalStore } from 'react'

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
