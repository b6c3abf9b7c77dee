'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { noteArrival, noteReturn } from '@/app/_ui/opening'

/** How long it tries to scroll back: a page has read its content by then. */
const longestMs = 1000

/** The key of the current history entry; null without the Navigation API: then the browser restores the position as far as it can. */
const readEntry = (): string | null => ('navigation' in globalThis ? (navigation.currentEntry?.key ?? null) : null)

/**
 * Tells pages whether they were reached by Back or Forward, and scrolls them to where they were left. Browsers do that too early, before a
 * long list has its full length again.
 */
export function useArrivals(): void {
  const path = usePathname()
  const query = useSearchParams().toString()
  const [places] = useState(() => new Map<string, number>())
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    const onReturn = () => {
      noteReturn()
      const isShown = location.pathname === path && new URLSearchParams(location.search).toString() === query
      wanted.current = isShown ? null : (places.get(readEntry() ?? '') ?? null)
    }
    const onScroll = () => {
      const entry = readEntry()
      if (entry !== null && wanted.current === null) places.set(entry, scrollY)
    }
    // Before Next's own listener, which renders the page.
    addEventListener('popstate', onReturn, true)
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      removeEventListener('popstate', onReturn, true)
      removeEventListener('scroll', onScroll)
    }
  }, [places, path, query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is there
  useLayoutEffect(() => {
    const place = wanted.current
    if (place === null) return
    return scrollBack(place, () => {
      wanted.current = null
    })
  }, [path, query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is there, after its own first effects
  useEffect(noteArrival, [path, query])
}

/** Scrolls until the page is long enough, or the reader scrolls. The returned function stops it. */
function scrollBack(place: number, onEnd: () => void): () => void {
  const latest = performance.now() + longestMs
  let frame = 0
  const end = () => {
    cancelAnimationFrame(frame)
    removeEventListener('wheel', end)
    removeEventListener('touchstart', end)
    removeEventListener('keydown', end)
    onEnd()
  }
  const step = () => {
    scrollTo({ top: place, behavior: 'instant' })
    if (Math.abs(scrollY - place) <= 1 || performance.now() > latest) end()
    else frame = requestAnimationFrame(step)
  }
  addEventListener('wheel', end, { passive: true })
  addEventListener('touchstart', end, { passive: true })
  addEventListener('keydown', end)
  step()
  return end
}
