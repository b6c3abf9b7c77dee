'use client'

import { useSyncExternalStore } from 'react'

/** The overlay over the page, opened by keys or by a button anywhere. */
export type Overlay = 'palette' | 'shortcuts' | null

let open: Overlay = null
const listeners = new Set<() => void>()

export function openOverlay(next: Overlay): void {
  open = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOverlay = (): Overlay =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  )
