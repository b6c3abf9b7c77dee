'use client'

import { useEffect } from 'react'
import { firstQuiet, whenIdle } from '../../_ui/idle'
import { fetchLazyParts } from '../../_ui/lazy'

const retryMs = 10_000

/** Fetches menus, toasts and the palette once the page is idle, so that they work even when the portal is unreachable. */
export function LazyParts() {
  useEffect(() => {
    // Begins to count with the first page, for those that are opened later.
    void firstQuiet()
    let timer: ReturnType<typeof setTimeout> | undefined
    const attempt = async () => {
      if (!(await fetchLazyParts())) timer = setTimeout(attempt, retryMs)
    }
    const cancel = whenIdle(attempt)
    return () => {
      cancel()
      clearTimeout(timer)
    }
  }, [])
  return null
}
