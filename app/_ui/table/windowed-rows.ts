'use client'

import {
  defaultRangeExtractor,
  measureElement,
  observeWindowOffset,
  observeWindowRect,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef } from 'react'

/** start, end: pixels from the top of the page. */
type NearRow = { key: string | number | bigint; index: number; start: number; end: number }

export type NearRows = {
  items: readonly NearRow[]
  /** Where the last of all rows ends. */
  end: number
  /** Gets the elements of rows whose height is not known in advance. */
  measure?: (row: HTMLTableRowElement | null) => void
  scrollTo?: (index: number) => void
}

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

type WindowedRowsProps = {
  ids: readonly string[]
  /** Rendered wherever it is. -1 for none. */
  kept: number
  /** Where the rows begin on the page, and the expected height of each, in pixels. */
  top: number
  height: number
  onRows: (rows: NearRows) => void
}

/** Reports which of many rows are near the window, and where. Renders nothing: the table renders its rows, before this code is there too. */
export function WindowedRows({ ids, kept, top, height, onRows }: WindowedRowsProps) {
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
    // Until the first frame.
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
    if (measuredBy.current !== height) virtual.measure()
    measuredBy.current = height
  }, [height, virtual])
  const [items, total] = [virtual.getVirtualItems(), virtual.getTotalSize()]
  useLayoutEffect(
    () =>
      onRows({
        items,
        end: top + total,
        measure: virtual.measureElement,
        scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
      }),
    [items, total, top, virtual, onRows],
  )
  return null
}
