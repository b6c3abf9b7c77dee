'use client'

import { type RefObject, useEffect, useMemo, useState } from 'react'

/**
 * Which columns have left the table, from the `thresholds` of its layout; null until the page is alive. Until then what a
 * column shows stands in both of its places, and the styles choose; afterwards only where it is seen.
 */
export function useLeft(box: RefObject<HTMLElement | null>, thresholds: ReadonlyMap<string, number>): ReadonlySet<string> | null {
  const [left, setLeft] = useState<string | null>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      // Not drawn at all.
      if (width === 0) return
      setLeft([...thresholds].flatMap(([id, least]) => (width < least ? [id] : [])).join(' '))
    })
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, thresholds])
  return useMemo(() => (left === null ? null : new Set(left.split(' '))), [left])
}
