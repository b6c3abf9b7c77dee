'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { BaseQuery, QueryKind } from './query'

// Longer than the pause between two letters; browsers refuse an address that changes with every key.
const typingMs = 300

export type QueryState<Q extends BaseQuery> = {
  /** What is shown; follows typing as fast as the page can. */
  query: Q
  /** The text in the search field. */
  typed: string
  type: (text: string) => void
  /** Filters and order, not the search: each change is a step that the back button reverts. */
  change: (change: Partial<Q>) => void
  clear: () => void
  /** Shows exactly this, for example a saved view. */
  open: (query: Q) => void
}

/** A collection's query, stored in the address. Typing replaces the address without a history entry. */
export function useQuery<Q extends BaseQuery>(kind: QueryKind<Q>): QueryState<Q> {
  const params = useSearchParams()
  const path = usePathname()
  const inAddress = useMemo(() => kind.parse(params), [kind, params])
  const [typed, setTyped] = useState(inAddress.search)
  const written = useRef(inAddress.search)
  const writtenAt = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // After going back, or following a link, the field shows what the address says.
  useEffect(() => {
    if (inAddress.search === written.current) return
    written.current = inAddress.search
    setTyped(inAddress.search)
  }, [inAddress.search])
  useEffect(() => () => clearTimeout(timer.current), [])

  const write = useCallback(
    (query: Q, how: 'pushState' | 'replaceState') => {
      clearTimeout(timer.current)
      writtenAt.current = Date.now()
      written.current = kind.parse(new URLSearchParams(kind.print(query))).search
      history[how](null, '', `${path}${kind.print(query)}`)
    },
    [kind, path],
  )
  const searched = useDeferredValue(typed)
  const query = useMemo(() => ({ ...inAddress, search: searched }), [inAddress, searched])
  return {
    query,
    typed,
    type: (text) => {
      setTyped(text)
      clearTimeout(timer.current)
      const writeTyped = () => write({ ...kind.parse(new URLSearchParams(location.search)), search: text }, 'replaceState')
      // Pasted text is written to the address immediately, typed text after a pause.
      if (Math.abs(text.length - typed.length) > 1 && Date.now() - writtenAt.current > typingMs) writeTyped()
      else timer.current = setTimeout(writeTyped, typingMs)
    },
    change: (change) => write({ ...inAddress, ...change, search: typed }, 'pushState'),
    clear: () => {
      setTyped('')
      const { column, descending, shown } = inAddress
      write({ ...kind.whole, column, descending, shown }, 'pushState')
    },
    open: (query) => {
      setTyped(query.search)
      write(query, 'pushState')
    },
  }
}
