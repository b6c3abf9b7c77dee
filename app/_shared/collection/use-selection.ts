'use client'

import { useCallback, useMemo, useRef, useState } from 'react'
import type { Checked, TableRow } from '../../_ui/table/column'

export type Selection<Row> = {
  /** Of all that are shown. */
  all: Checked
  /** The selected rows that are still listed, in the order of the list; also those that the filter hides. */
  rows: readonly Row[]
  has: (id: string) => boolean
  /** Selects all of `ids`, or none where all are selected. With `extend` everything from the row toggled before to this one becomes like it. */
  toggle: (ids: readonly string[], extend: boolean) => void
  /** All that are shown; or none, where all of them are selected. */
  toggleAll: () => void
  clear: () => void
}

/** Which rows are selected. It outlives filtering and reading again. */
export function useSelection<Row extends TableRow>(all: readonly Row[], shown: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const view = useRef(shown)
  view.current = shown
  const toggle = useCallback((wanted: readonly string[], extend: boolean) => {
    const [first] = wanted
    if (first === undefined) return
    // Read now: the state below is computed later, and `last` is another one then.
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

/** Ids from one row to another, both included, whichever comes first; the second alone where the first is not shown. */
export function rangeOf(shown: readonly TableRow[], from: string | null, to: string): string[] {
  const [start, end] = [shown.findIndex(({ id }) => id === from), shown.findIndex(({ id }) => id === to)]
  if (start < 0 || end < 0) return [to]
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id)
}
