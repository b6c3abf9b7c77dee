'use client'

import { useSyncExternalStore } from 'react'
import type { Problem } from '@/lib/contract/problem'
import { placeOfFailure } from '@/lib/contract/reachability'

/** The result of this page's newest read of a server. wellAt: the last success, ms since 1970. */
export type PageCheck = { problem: Problem | null; wellAt: number | null }

const checks = new Map<string, PageCheck>()
const listeners = new Set<() => void>()

/**
 * Called by every read. Only reads of a single server count; failures that say nothing about the server are ignored, except for
 * the answer that it is rebooting.
 */
export function reportCheck(url: string, problem: Problem | null): void {
  const serverId = /^\/api\/operations\/[^?]*\?(?:.*&)?server=([^&]+)/.exec(url)?.[1]
  if (serverId === undefined || (problem && problem.code !== 'rebooting' && placeOfFailure(problem) === 'elsewhere')) return
  const wellAt = problem ? (checks.get(serverId)?.wellAt ?? null) : Date.now()
  checks.set(serverId, { problem, wellAt })
  for (const listener of listeners) listener()
}

/** What the server rendered is newer than anything read before it. */
export function forgetCheck(serverId: string): void {
  if (!checks.delete(serverId)) return
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Null if this page has not read anything of the server. */
export const useCheck = (serverId: string): PageCheck | null =>
  useSyncExternalStore<PageCheck | null>(
    subscribe,
    () => checks.get(serverId) ?? null,
    () => null,
  )
