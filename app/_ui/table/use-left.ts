'use client'

import { type RefObject, useEffect, useMemo, useState } from 'react'

/**
 * Which columns are hidden, from the `thresholds` of the layout; null until the page is hydrated. Until then a column's content is
 * rendered in both of its places, and the styles choose; afterwards only where it is visible.
 */
export function useLeft(box: RefObject<HTMLElement | null>, thresholds: ReadonlyMap<string, number>): ReadonlySet<string> | null {
  const [left, setLeft] = useState<string | null>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      // Not rendered at all.
      if (width === 0) return
      setLeft([...thresholds].flatMap(([id, least]) => (width < least ? [id] : [])).join(' '))
    })
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, thresholds])
  return useMemo(() => (left === null ? null : new Set(left.split(' '))), [left])
}
