'use client'

import { createContext, useContext, useSyncExternalStore } from 'react'
import { useBrowserValue } from './browser-value'

/** The IANA name of the zone for all times; the server uses the same one. */
export const TimeZoneContext = createContext('UTC')

export const useTimeZone = (): string => useContext(TimeZoneContext)

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

const stepOf = (stepMs: number): number => Math.floor(Date.now() / stepMs) * stepMs

/** Now, in ms since 1970, advancing in steps of `stepMs`; null on the server and during hydration. One timer for the page. */
export function useNow(stepMs: number): number | null {
  return useBrowserValue<number | null>(subscribe, () => stepOf(stepMs), null)
}

/** The same, also on the server: for values that may differ slightly there without an immediate re-render. */
export function useDrawnNow(stepMs: number): number {
  const read = () => stepOf(stepMs)
  return useSyncExternalStore(subscribe, read, read)
}
