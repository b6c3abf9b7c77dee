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
import type { Lines } from './table-line'

/** Up to this many rows are all rendered. */
const maxDrawnWhole = 60

const standardRow = 40
/** About the height of a row with folded columns. */
const foldedRow = 104

/** The height of a row at the chosen density, in pixels. */
const readRowHeight = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--spacing-row')) || standardRow

type Rows = Virtualizer<Window, HTMLTableRowElement>

/** Starts with the next frame: measuring the window now would force a layout in the middle of rendering. */
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
const observeOffset = fromNextFrame<Parameters<typeof observeWindowOffset>[1]>((rows, report) => {
  const stop = observeWindowOffset(rows, report)
  // Back scrolled before this frame, and only later scrolling is reported.
  if (scrollY !== (rows.scrollOffset ?? 0)) report(scrollY, false)
  return stop
})

/** Where the rows begin on the page, the height of one, and whether the table is so narrow that columns are folded. */
function useRoom(body: RefObject<HTMLElement | null>, foldBelow: number) {
  const [room, setRoom] = useState({ top: 0, rowHeight: standardRow, folded: false })
  useEffect(() => {
    const measure = () => {
      const box = body.current?.getBoundingClientRect()
      const top = box ? box.top + scrollY : 0
      const rowHeight = readRowHeight()
      const folded = box !== undefined && box.width > 0 && box.width < foldBelow
      setRoom((known) =>
        known.top === top && known.rowHeight === rowHeight && known.folded === folded ? known : { top, rowHeight, folded },
      )
    }
    // Content above the table moves it; the density moves everything. Also reports the initial size, before it is painted.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    if (body.current) observer.observe(body.current)
    const density = new MutationObserver(measure)
    density.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] })
    return () => {
      observer.disconnect()
      density.disconnect()
    }
  }, [body, foldBelow])
  return room
}

type RowsOptions = {
  /** Rendered wherever it is, because it has the focus. -1 for none. */
  kept: number
  lines: Lines
  foldBelow: number
}

/** The rows near the window, of however many; few are all rendered. The page itself scrolls. Rows of several lines are measured. */
export function useRows(body: RefObject<HTMLElement | null>, ids: readonly string[], { kept, lines, foldBelow }: RowsOptions) {
  const { top, rowHeight, folded } = useRoom(body, foldBelow)
  const height = folded ? foldedRow : rowHeight
  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count: ids.length,
    estimateSize: useCallback(() => height, [height]),
    // A row's height is reported by its observer, when the page is laid out anyway.
    measureElement: useCallback(
      (row: HTMLTableRowElement, entry: ResizeObserverEntry | undefined, of: Rows) =>
        entry ? measureElement(row, entry, of) : (of.itemSizeCache.get(of.options.getItemKey(of.indexFromElement(row))) ?? height),
      [height],
    ),
    observeElementRect: observeRect,
    observeElementOffset: observeOffset,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan: 10,
    scrollMargin: top,
    // What the server renders, before there is a window.
    initialRect: { width: 1280, height: 900 },
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        if (range.count <= maxDrawnWhole) return Array.from({ length: range.count }, (_, index) => index)
        const near = defaultRangeExtractor(range)
        return kept < 0 || kept >= range.count || near.includes(kept) ? near : [...near, kept].sort((a, b) => a - b)
      },
      [kept],
    ),
  })
  const measuredBy = useRef(height)
  useLayoutEffect(() => {
    if (measuredBy.current !== height) virtual.measure()
    measuredBy.current = height
  }, [height, virtual])
  const drawnWhole = ids.length <= maxDrawnWhole
  return { virtual, top, measured: !drawnWhole && (folded || lines === 'many') }
}
