'use client'

import { useMemo, useState } from 'react'
import { type CopiedTable, chooseTable, type Direction, findUnfit, groupTables, usualTables } from './copied-tables'

export type CopiedParts = ReturnType<typeof useCopiedParts>

/** What a pull or push is to copy. A push begins with the files alone: tables replace what visitors have written since. */
export function useCopiedParts(tables: readonly CopiedTable[], direction: Direction) {
  const groups = useMemo(() => groupTables(tables), [tables])
  const [files, setFiles] = useState(true)
  const [database, setDatabase] = useState(direction === 'pull' && tables.length > 0)
  // Null until somebody chooses: a list that is read again may have further tables.
  const [picked, setPicked] = useState<ReadonlySet<string> | null>(null)
  const chosen = useMemo(() => picked ?? usualTables(tables, groups, direction), [picked, tables, groups, direction])
  return {
    files,
    setFiles,
    database,
    setDatabase,
    /** Those that are still listed. */
    chosen: tables.filter(({ name }) => chosen.has(name)),
    unfit: useMemo(() => findUnfit(tables, chosen), [tables, chosen]),
    has: (name: string): boolean => chosen.has(name),
    choose: (name: string, on: boolean) => setPicked(chooseTable(groups, chosen, name, on)),
    chooseAll: (on: boolean) => setPicked(new Set(on ? groups.together.keys() : [])),
  }
}
