'use client'

import { useSyncExternalStore } from 'react'

/** What screen readers read aloud, whatever becomes of the part of the page that says it: an answer may replace that part. */
let said = ''
const listeners = new Set<() => void>()

/** Reads the sentence aloud once the present one is finished. */
export function announce(sentence: string): void {
  // A text that stays the same is not read again.
  said = sentence === said ? `${sentence}\u00a0` : sentence
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAnnounced = (): string =>
  useSyncExternalStore(
    subscribe,
    () => said,
    () => '',
  )
