'use client'

import { useBrowserValue } from '../../_ui/browser-value'

const listeners = new Set<() => void>()

/** A text stored by this browser, or null. Never a secret: it survives signing out. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`gatehouse-${name}`)
  } catch {
    // Browsers may be configured to store nothing.
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

/** The same, kept up to date across windows; null on the server. */
export const useStored = (name: string): string | null => useBrowserValue<string | null>(subscribe, () => readStored(name), null)
