'use client'

import {
  defaultRangeExtractor,
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useOutside } from '../../_ui/outside'

const phone = '(width < 720px)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(phone)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

const useIsPhone = (): boolean => useOutside(subscribe, () => matchMedia(phone).matches, false)

const standardRow = 40
const phoneCard = 104

/** How high a row is, by the density chosen. */
const readRowHeight = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--spacing-row')) || standardRow

type Rows = Virtualizer<Window, HTMLTableRowElement>

/** Begins with the next frame: what looks at the window has the page laid out at once, in the midst of what draws it. */
const fromNextFrame =
  <Report>(observe: (rows: Rows, report: Report) => (() => void) | undefined) =>
  (rows: Rows, report: Report) => {
    let stop: (() => void) | undefined
    const frame = requestAnimationFrame(() => {
      stop = observe(rows, report)
    })
    return () => {
      cancelAnimationFrame(frame)
      stop?.()
    }
  }

const observeRect = fromNextFrame<Parameters<typeof observeWindowRect>[1]>(observeWindowRect)
const observeOffset = fromNextFrame<Parameters<typeof observeWindowOffset>[1]>(observeWindowOffset)

/**
 * The rows near the window, of however many. The page itself scrolls. `kept` is drawn wherever it is: the keyboard is at
 * it. On a phone rows differ in height and are measured.
 */
export function useRows(body: RefObject<HTMLElement | null>, ids: readonly string[], kept: number) {
  const isPhone = useIsPhone()
  const [place, setPlace] = useState({ top: 0, rowHeight: standardRow })
  useEffect(() => {
    const look = () => {
      const top = body.current ? body.current.getBoundingClientRect().top + scrollY : 0
      const rowHeight = readRowHeight()
      setPlace((known) => (known.top === top && known.rowHeight === rowHeight ? known : { top, rowHeight }))
    }
    // What stands above the table moves it; the density moves everything. Tells of the size it finds, too, before that is painted.
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
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count: ids.length,
    estimateSize: useCallback(() => height, [height]),
    // A row's height is told by its observer, when the page is laid out anyway.
    measureElement: useCallback(
      (row: HTMLTableRowElement, entry: ResizeObserverEntry | undefined, of: Rows) =>
        entry ? measureElement(row, entry, of) : (of.itemSizeCache.get(of.options.getItemKey(of.indexFromElement(row))) ?? height),
      [height],
    ),
    observeElementRect: observeRect,
    observeElementOffset: observeOffset,
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
  const measuredBy = useRef(height)
  useLayoutEffect(() => {
    if (measuredBy.current !== height) rows.measure()
    measuredBy.current = height
  }, [height, rows])
  return { rows, top: place.top, measured: isPhone }
}
