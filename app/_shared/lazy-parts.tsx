'use client'

import { useEffect } from 'react'
import { whenIdle } from '../_ui/idle'
import { fetchLazyParts } from '../_ui/lazy'

const retryMs = 10_000

/** Fetches menus, notices, the palette once the page is quiet: they have to be there when the portal is not. */
export function LazyParts() {
  useEffect(() => {
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
