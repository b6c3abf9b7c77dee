'use client'

import { useSyncExternalStore } from 'react'
import { useBrowserValue } from './browser-value'

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

/** Now, in ms since 1970, moving in steps of `stepMs`; null on the server and while hydrating. One timer for the page. */
export function useNow(stepMs: number): number | null {
  return useBrowserValue<number | null>(subscribe, () => stepOf(stepMs), null)
}

/** The same, known on the server too: for what may differ a little there, and need not be drawn again for it at once. */
export function useDrawnNow(stepMs: number): number {
  const read = () => stepOf(stepMs)
  return useSyncExternalStore(subscribe, read, read)
}
