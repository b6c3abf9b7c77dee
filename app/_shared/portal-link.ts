'use client'

import { useSyncExternalStore } from 'react'

/** up: answers come. lost: the portal cannot be reached. signed-out: it answers, but not to us. */
export type PortalLink = 'up' | 'lost' | 'signed-out'

let link: PortalLink = 'up'
const listeners = new Set<() => void>()

/** Told by every read and stream; the bar at the top of the page shows it. */
export function reportLink(next: PortalLink): void {
  if (next === link) return
  link = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePortalLink = (): PortalLink =>
  useSyncExternalStore<PortalLink>(
    subscribe,
    () => link,
    () => 'up',
  )
