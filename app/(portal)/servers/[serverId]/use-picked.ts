'use client'

import { useMemo, useState } from 'react'

/** What is ticked in a list: it outlives filtering and reading anew, and what is no longer listed is not ticked either. */
export type Picked = {
  ids: readonly string[]
  has: (id: string) => boolean
  /** Ticks all of them, or none where all are ticked. */
  toggle: (ids: readonly string[]) => void
  clear: () => void
}

export function usePicked(listed: readonly string[]): Picked {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const ids = useMemo(() => listed.filter((id) => ticked.has(id)), [listed, ticked])
  return {
    ids,
    has: (id) => ticked.has(id),
    toggle: (wanted) =>
      setTicked((before) => {
        const after = new Set(before)
        const all = wanted.every((id) => before.has(id))
        for (const id of wanted) {
          if (all) after.delete(id)
          else after.add(id)
        }
        return after
      }),
    clear: () => setTicked(new Set()),
  }
}
