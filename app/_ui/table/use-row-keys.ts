'use client'

import { type RefObject, useEffect, useRef } from 'react'

export type RowKeys = {
  count: number
  current: number
  /** Makes a row the current one and scrolls it into view. */
  moveTo: (index: number) => void
  /** Selects or deselects the current row; with `extend` the range from the last one. */
  toggle: (index: number, extend: boolean) => void
  isSelected: (index: number) => boolean
  toggleAll: () => void
  clear: () => void
}

const pageOfRows = 12

/** The keys that move by one row. */
const byOne = new Set(['ArrowDown', 'ArrowUp', 'j', 'k'])

/** The row that a key moves to; null for other keys. */
function destination(key: string, current: number, count: number): number | null {
  const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: pageOfRows, PageUp: -pageOfRows }
  const last = count - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  return step === undefined ? null : Math.min(last, Math.max(0, current + step))
}

/**
 * The keyboard in a list of links, while it has the focus: arrows or j and k move, x selects (with Shift up to the current row), Ctrl+A
 * selects all rows shown, Esc clears the selection. Moving by one row with Shift held selects both. Enter opens, as on any link.
 */
export function useRowKeys(table: RefObject<HTMLElement | null>, on: boolean, keys: RowKeys): void {
  const newest = useRef(keys)
  newest.current = keys
  useEffect(() => {
    const element = table.current
    if (!element || !on) return
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.isComposing) return
      if (perform(event, newest.current)) event.preventDefault()
    }
    element.addEventListener('keydown', onKey)
    return () => element.removeEventListener('keydown', onKey)
  }, [table, on])
}

/** Does what a key means, without the page around it. False if the key is not handled. */
export function perform(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>, keys: RowKeys): boolean {
  const { count, current, moveTo, toggle, isSelected, toggleAll, clear } = keys
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'a') return false
    toggleAll()
    return true
  }
  if (key === 'x') toggle(current, event.shiftKey)
  else if (key === 'Escape') clear()
  else {
    const next = destination(key, current, count)
    if (next === null) return false
    moveTo(next)
    if (!event.shiftKey || next === current || !byOne.has(key)) return true
    if (!isSelected(current)) toggle(current, false)
    toggle(next, true)
  }
  return true
}

/** Moves the focus to the current row of the first list on the page, or to its first row. False without a list of links. */
export function enterRows(): boolean {
  const rows = 'main tr[data-index]'
  const target =
    document.querySelector<HTMLElement>(`${rows} a[tabindex="0"]`) ?? document.querySelector<HTMLElement>(`${rows} a, ${rows} input`)
  target?.focus()
  return target !== null
}
