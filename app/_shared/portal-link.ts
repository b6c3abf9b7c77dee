'use client'

import { useSyncExternalStore } from 'react'

/** up: answers come. lost: the portal cannot be reached. signed-out: it answers, but not to us. */
export type PortalLink = 'up' | 'lost' | 'signed-out'

/** outdated: the portal runs another build than the one this page came from. */
type Known = { link: PortalLink; outdated: boolean }

const atFirst: Known = { link: 'up', outdated: false }

let known = atFirst
let ownBuild = ''
const listeners = new Set<() => void>()

function know(next: Known): void {
  if (next.link === known.link && next.outdated === known.outdated) return
  known = next
  for (const listener of listeners) listener()
}

/** Told by every read and stream; the bar at the top of the page shows it. */
export const reportLink = (link: PortalLink): void => know({ ...known, link })

/** The build this page came from; the first to be told stays. */
export function keepOwnBuild(build: string): void {
  ownBuild ||= build
}

/** Told by every read that got an answer. */
export function reportBuild(build: string | null): void {
  if (build && ownBuild) know({ ...known, outdated: build !== ownBuild })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePortalLink = (): Known =>
  useSyncExternalStore<Known>(
    subscribe,
    () => known,
    () => atFirst,
  )
