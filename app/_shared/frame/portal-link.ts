'use client'

import { useSyncExternalStore } from 'react'
import { type Problem, problem } from '@/lib/contract/problem'

/** up: the portal answers. lost: it cannot be reached. signed-out: it answers, but the session has ended. */
export type PortalLink = 'up' | 'lost' | 'signed-out'

/** outdated: the portal runs another build than the one that rendered this page. */
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

/** What is wrong between the page and the servers while the link is not up; null while it is. */
export function linkProblem(link: PortalLink): Problem | null {
  if (link === 'up') return null
  return problem(link === 'lost' ? 'upstream_unreachable' : 'signed_out')
}

const probeMs = 5000

/** Asks whether the portal answers at all, and returns that. An ended session stays ended. */
export async function probePortal(): Promise<boolean> {
  const report = expectAnswer()
  const answer = await fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(probeMs) }).catch(() => null)
  if (!answer?.ok) report('lost')
  else if (known.link === 'lost') report('up')
  return answer?.ok === true
}

/** How often the link was lost. */
let losses = 0

/** Whether a page of the portal could be opened now, as far as is known. */
export const isPortalReachable = (): boolean => known.link !== 'lost' && navigator.onLine !== false

/** The bar at the top of the page shows it. */
export function reportLink(link: PortalLink): void {
  if (link === 'lost') losses += 1
  know({ ...known, link })
}

/** Called when a request is sent; its answer calls the result. An answer that was on its way when the link was lost reports nothing. */
export function expectAnswer(): (link: PortalLink) => void {
  const before = losses
  return (link) => {
    if (link === 'lost' || losses === before) reportLink(link)
  }
}

/** The server rendered a page for a signed-in user, so a session that an earlier page found ended is there again. */
export function forgetSignedOut(): void {
  if (known.link === 'signed-out') reportLink('up')
}

/** The build that rendered this page; the first call counts. */
export function keepOwnBuild(build: string): void {
  ownBuild ||= build
}

/** Called by every read that got an answer. */
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
