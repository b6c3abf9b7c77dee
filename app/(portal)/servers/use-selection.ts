'use client'

import { useCallback, useMemo, useRef, useState } from 'react'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'

export type Selection = {
  ids: ReadonlySet<string>
  /** Those of them that are still listed, in the order of the list; also what the filter hides. */
  servers: readonly ListedServer[]
  /** With `extend` everything from the last one touched to this one becomes like it. */
  toggle: (id: string, extend: boolean) => void
  /** All that are shown; or none, where all of them are selected. */
  toggleAll: () => void
  clear: () => void
}

/** Which servers are selected. It outlives filtering and reading anew. */
export function useSelection(all: readonly ListedServer[], shown: readonly ListedServer[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const view = useRef(shown)
  view.current = shown
  const toggle = useCallback((id: string, extend: boolean) => {
    setIds((before) => {
      const after = new Set(before)
      const on = !before.has(id)
      for (const each of extend ? rangeOf(view.current, last.current, id) : [id]) {
        if (on) after.add(each)
        else after.delete(each)
      }
      return after
    })
    last.current = id
  }, [])
  const toggleAll = useCallback(() => {
    setIds((before) => {
      const every = view.current.every(({ id }) => before.has(id))
      const after = new Set(before)
      for (const { id } of view.current) {
        if (every) after.delete(id)
        else after.add(id)
      }
      return after
    })
  }, [])
  const clear = useCallback(() => setIds(new Set()), [])
  const servers = useMemo(() => (ids.size === 0 ? [] : all.filter(({ id }) => ids.has(id))), [all, ids])
  return { ids, servers, toggle, toggleAll, clear }
}

/** Ids from one row to another, both included, whichever comes first; the second alone where the first is not shown. */
export function rangeOf(shown: readonly ListedServer[], from: string | null, to: string): string[] {
  const [start, end] = [shown.findIndex(({ id }) => id === from), shown.findIndex(({ id }) => id === to)]
  if (start < 0 || end < 0) return [to]
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id)
}
