'use client'

import { readStored, writeStored } from '../keyboard/stored'

const name = 'recent'
const overviewName = 'overview'
const maxRecents = 6

/** Addresses of the servers and sites last opened in this browser, newest first. Only addresses: names are looked up each time. */
export function readRecents(): string[] {
  try {
    const kept: unknown = JSON.parse(readStored(name) ?? '[]')
    return Array.isArray(kept) ? kept.filter((href): href is string => typeof href === 'string').slice(0, maxRecents) : []
  } catch {
    return []
  }
}

/** The address of the server or site that a page is about. */
export const subjectOf = (path: string): string | undefined => /^\/(?:servers|sites)\/(?!new(?:\/|$))[^/]+/.exec(path)?.[0]

/** Called for every page that is opened; only those of a server or site are stored. */
export function rememberVisit(path: string): void {
  const href = subjectOf(path)
  if (!href) return
  if (path === href && path.startsWith('/servers/')) writeStored(overviewName, 'seen')
  const kept = [href, ...readRecents().filter((other) => other !== href)].slice(0, maxRecents)
  writeStored(name, JSON.stringify(kept))
}

/** Whether a server's overview was ever opened in this browser. */
export const wasOverviewSeen = (): boolean => readStored(overviewName) !== null
