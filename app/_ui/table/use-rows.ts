'use client'

import { createElement, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { lazyComponent } from '../lazy'
import type { Lines } from './table-line'
import type { NearRows } from './windowed-rows'

/** Up to this many rows are all rendered. */
const maxDrawnWhole = 60
/** Of more, so many until the code is there that knows which are near the window: about a window of them. */
const drawnFirst = 40

const standardRow = 40
/** About the height of a row with folded columns. */
const foldedRow = 104

/** The height of a row at the chosen density, in pixels. */
const readRowHeight = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--spacing-row')) || standardRow

const WindowedRows = lazyComponent(() => import('./windowed-rows').then((file) => file.WindowedRows))

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

/** The first of the rows, each as high as expected. */
function firstRows(ids: readonly string[], top: number, height: number): NearRows {
  const shown = ids.length > maxDrawnWhole ? ids.slice(0, drawnFirst) : ids
  const items = shown.map((key, index) => ({ key, index, start: top + index * height, end: top + (index + 1) * height }))
  return { items, end: top + ids.length * height }
}

/** Positions from before the rows changed, which are about right: the new ones are reported before anything is painted. */
const withKeys = (near: NearRows, ids: readonly string[]): NearRows => ({
  ...near,
  items: near.items.flatMap((item) => {
    const key = ids[item.index]
    return key === undefined ? [] : [{ ...item, key }]
  }),
})

type RowsOptions = {
  /** Rendered wherever it is, because it has the focus. -1 for none. */
  kept: number
  lines: Lines
  foldBelow: number
}

/** windowing: has to be rendered beside the rows. */
type RowsToRender = NearRows & { top: number; windowing: ReactNode }

/** The rows near the window, of however many; few are all rendered. The page itself scrolls. Rows of several lines are measured. */
export function useRows(
  body: RefObject<HTMLElement | null>,
  ids: readonly string[],
  { kept, lines, foldBelow }: RowsOptions,
): RowsToRender {
  const { top, rowHeight, folded } = useRoom(body, foldBelow)
  const [near, setNear] = useState<NearRows | null>(null)
  const height = folded ? foldedRow : rowHeight
  if (ids.length <= maxDrawnWhole) return { ...firstRows(ids, top, height), top, windowing: null }
  const { measure, ...rows } = near ? withKeys(near, ids) : firstRows(ids, top, height)
  return {
    ...rows,
    ...(measure && (folded || lines === 'many') && { measure }),
    top,
    windowing: createElement(WindowedRows, { ids, kept, top, height, onRows: setNear }),
  }
}
