'use client'

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isReturn } from '@/app/_ui/opening'
import type { Checked, TableRow } from '../../_ui/table/column'

export type Selection<Row> = {
  /** Covers all rows shown. */
  all: Checked
  /** The selected rows that are still listed, in the order of the list, including those that the filter hides. */
  rows: readonly Row[]
  has: (id: string) => boolean
  /**
   * Selects all of `ids`, or deselects them if all are selected. With `extend`, everything from the previously toggled row to this one
   * follows.
   */
  toggle: (ids: readonly string[], extend: boolean) => void
  /** Selects all rows shown, or deselects them if all are selected. */
  toggleAll: () => void
  clear: () => void
}

/** What was selected in each list when its page was left. */
const left = new Map<string, ReadonlySet<string>>()

/** Which rows are selected. Survives filtering and refreshing, and leaving the page if Back returns to it. name: identifies the list. */
export function useSelection<Row extends TableRow>(name: string, all: readonly Row[], shown: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => (isReturn() ? left.get(name) : undefined) ?? new Set())
  const newest = useRef(ids)
  newest.current = ids
  useEffect(() => () => void left.set(name, newest.current), [name])
  const last = useRef<string | null>(null)
  const view = useRef(shown)
  view.current = shown
  const toggle = useCallback((wanted: readonly string[], extend: boolean) => {
    const [first] = wanted
    if (first === undefined) return
    // Computed now: the state update below runs later, when `last` has changed.
    const touched = extend ? rangeOf(view.current, last.current, first) : wanted
    setIds((before) => withAll(before, touched, !wanted.every((id) => before.has(id))))
    last.current = first
  }, [])
  const toggleAll = useCallback(() => {
    const every = view.current.map(({ id }) => id)
    setIds((before) => withAll(before, every, !every.every((id) => before.has(id))))
  }, [])
  const clear = useCallback(() => setIds(new Set()), [])
  const has = useCallback((id: string) => ids.has(id), [ids])
  const rows = useMemo(() => (ids.size === 0 ? [] : all.filter(({ id }) => ids.has(id))), [all, ids])
  const checked = rows.length === 0 ? 'none' : shown.every(({ id }) => ids.has(id)) ? 'all' : 'some'
  return { all: checked, rows, has, toggle, toggleAll, clear }
}

function withAll(before: ReadonlySet<string>, ids: readonly string[], on: boolean): ReadonlySet<string> {
  const after = new Set(before)
  for (const id of ids) {
    if (on) after.add(id)
    else after.delete(id)
  }
  return after
}

/** The ids from one row to another, inclusive, in either direction; only the second if the first is not shown. */
export function rangeOf(shown: readonly TableRow[], from: string | null, to: string): string[] {
  const [start, end] = [shown.findIndex(({ id }) => id === from), shown.findIndex(({ id }) => id === to)]
  if (start < 0 || end < 0) return [to]
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id)
}
