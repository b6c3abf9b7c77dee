'use client'

import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react'

const phone = '(width < 720px)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(phone)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

const useIsPhone = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(phone).matches,
    () => false,
  )

const standardRow = 40
const phoneCard = 104

/** How high a row is, by the density chosen. */
const readRowHeight = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--spacing-row')) || standardRow

/**
 * The rows near the window, of however many. The page itself scrolls. `kept` is drawn wherever it is: the keyboard is at
 * it. On a phone rows differ in height and are measured.
 */
export function useRows(body: RefObject<HTMLElement | null>, ids: readonly string[], kept: number) {
  const isPhone = useIsPhone()
  const [place, setPlace] = useState({ top: 0, rowHeight: standardRow })
  useLayoutEffect(() => {
    const look = () => {
      const top = body.current ? body.current.getBoundingClientRect().top + scrollY : 0
      const rowHeight = readRowHeight()
      setPlace((known) => (known.top === top && known.rowHeight === rowHeight ? known : { top, rowHeight }))
    }
    look()
    // What stands above the table moves it; the density moves everything.
    const observer = new ResizeObserver(look)
    observer.observe(document.body)
    const density = new MutationObserver(look)
    density.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] })
    return () => {
      observer.disconnect()
      density.disconnect()
    }
  }, [body])
  const height = isPhone ? phoneCard : place.rowHeight
  const rows = useWindowVirtualizer({
    count: ids.length,
    estimateSize: useCallback(() => height, [height]),
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan: 10,
    scrollMargin: place.top,
    // What the server draws, before there is a window.
    initialRect: { width: 1280, height: 900 },
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const near = defaultRangeExtractor(range)
        return kept < 0 || kept >= range.count || near.includes(kept) ? near : [...near, kept].sort((a, b) => a - b)
      },
      [kept],
    ),
  })
  useLayoutEffect(() => {
    if (height > 0) rows.measure()
  }, [height, rows])
  return { rows, top: place.top, measured: isPhone }
}
