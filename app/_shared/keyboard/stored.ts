'use client'

import { useBrowserValue } from '../../_ui/browser-value'

const listeners = new Set<() => void>()

/** A text this browser keeps for itself, or null. Never anything secret: it stays after signing out. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`gatehouse-${name}`)
  } catch {
    // Browsers may be set to keep nothing.
    return null
  }
}

export function writeStored(name: string, value: string): void {
  try {
    localStorage.setItem(`gatehouse-${name}`, value)
  } catch {
    return
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

/** The same, kept up to date, other windows included; null on the server. */
export const useStored = (name: string): string | null => useBrowserValue<string | null>(subscribe, () => readStored(name), null)
