'use client'

import { useEffect } from 'react'
import { fetchLateParts } from '../_ui/late'

/** How long after the page has loaded; by then whatever the page itself wants has been asked for. */
const quietMs = 2500
const retryMs = 10_000

const whenIdle = (work: () => void): void => {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work)
}

/** Fetches menus, notices, the palette once the page is quiet: they have to be there when the portal is not. */
export function LateParts() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const attempt = () =>
      whenIdle(async () => {
        if (!(await fetchLateParts())) timer = setTimeout(attempt, retryMs)
      })
    const begin = () => {
      timer = setTimeout(attempt, quietMs)
    }
    if (document.readyState === 'complete') begin()
    else addEventListener('load', begin, { once: true })
    return () => {
      removeEventListener('load', begin)
      clearTimeout(timer)
    }
  }, [])
  return null
}
