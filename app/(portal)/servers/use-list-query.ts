'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { type ListQuery, parseListQuery, printListQuery, wholeList } from './list-query'

// Long enough not to be reached within a word; browsers refuse an address that changes with every key.
const typingMs = 300

type ListQueryState = {
  /** What is shown; follows typing as fast as the page can. */
  query: ListQuery
  /** What stands in the search field. */
  typed: string
  type: (text: string) => void
  /** Filters and order: each change is a step that the back button takes back. */
  change: (change: Partial<ListQuery>) => void
  clear: () => void
}

/** The list's query, kept in the address. Typing changes the address in place, with no history of its own. */
export function useListQuery(): ListQueryState {
  const params = useSearchParams()
  const path = usePathname()
  const inAddress = useMemo(() => parseListQuery(params), [params])
  const [typed, setTyped] = useState(inAddress.search)
  const written = useRef(inAddress.search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // Somebody went back, or followed a link: the field shows what the address says.
  useEffect(() => {
    if (inAddress.search === written.current) return
    written.current = inAddress.search
    setTyped(inAddress.search)
  }, [inAddress.search])
  useEffect(() => () => clearTimeout(timer.current), [])

  const write = useCallback(
    (query: ListQuery, how: 'pushState' | 'replaceState') => {
      clearTimeout(timer.current)
      written.current = parseListQuery(new URLSearchParams(printListQuery(query))).search
      history[how](null, '', `${path}${printListQuery(query)}`)
    },
    [path],
  )
  const searched = useDeferredValue(typed)
  const query = useMemo(() => ({ ...inAddress, search: searched }), [inAddress, searched])
  return {
    query,
    typed,
    type: (text) => {
      setTyped(text)
      clearTimeout(timer.current)
      timer.current = setTimeout(
        () => write({ ...parseListQuery(new URLSearchParams(location.search)), search: text }, 'replaceState'),
        typingMs,
      )
    },
    change: (change) => write({ ...inAddress, search: typed, ...change }, 'pushState'),
    clear: () => {
      setTyped('')
      write({ ...wholeList, column: inAddress.column, descending: inAddress.descending }, 'pushState')
    },
  }
}
