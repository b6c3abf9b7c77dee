import type { Answer } from '@/lib/contract/operation'
import type { apps } from '@/lib/contract/operations/apps'

export type StagingCopy = Answer<typeof apps.staging>['item'][0]

export type Direction = 'pull' | 'push'

/**
 * A table that may be copied. null: not reported. partners: it cannot be copied without them. related: something may not fit without them.
 * contents: data that belongs to live, as a word for people; empty for other tables.
 */
export type CopiedTable = {
  name: string
  bytes: number | null
  rows: number | null
  pulled: boolean | null
  changed: boolean | null
  partners: readonly string[]
  related: readonly string[]
  contents: string
}

export function reportedTables({ tables }: StagingCopy): CopiedTable[] {
  const listed = tables.map(
    ({ name, bytes = null, rows = null, pulled, changed, partners, related, private: contents }): CopiedTable => ({
      name,
      bytes,
      rows,
      pulled,
      changed,
      partners,
      related,
      contents,
    }),
  )
  return unique(listed)
}

/** Of a service that reports nothing but names. */
export const namedTables = (names: readonly string[]): CopiedTable[] =>
  unique(names.map((name) => ({ name, bytes: null, rows: null, pulled: null, changed: null, partners: [], related: [], contents: '' })))

/** A name that a service sends twice is still one table. */
const unique = (tables: readonly CopiedTable[]): CopiedTable[] => [...new Map(tables.map((table) => [table.name, table])).values()]

type Group = ReadonlyMap<string, ReadonlySet<string>>

/** Of each table. needed: itself and all that have to be chosen with it, also through others; together: the same with what is related. */
export type Groups = { needed: Group; together: Group }

export function groupTables(tables: readonly CopiedTable[]): Groups {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const groupBy = (othersOf: (table: CopiedTable) => readonly string[]): Group =>
    new Map(tables.map(({ name }) => [name, reach(name, byName, othersOf)]))
  return { needed: groupBy(({ partners }) => partners), together: groupBy(({ partners, related }) => [...partners, ...related]) }
}

function reach(name: string, byName: ReadonlyMap<string, CopiedTable>, othersOf: (table: CopiedTable) => readonly string[]): Set<string> {
  const found = new Set([name])
  // A set that grows while it is iterated also yields what was added.
  for (const each of found) {
    const table = byName.get(each)
    for (const other of table ? othersOf(table) : []) if (byName.has(other)) found.add(other)
  }
  return found
}

/** Chosen tables bring their partners and what is related. A table that is left out takes along those that need it, and nothing else. */
export function chooseTable({ needed, together }: Groups, chosen: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> {
  if (on) return new Set([...chosen, ...(together.get(name) ?? [])])
  return new Set([...chosen].filter((each) => !needed.get(each)?.has(name)))
}

/** What is chosen without something that is related: by table, what is missing. */
export function findUnfit(tables: readonly CopiedTable[], chosen: ReadonlySet<string>): { name: string; missing: string[] }[] {
  const listed = new Set(tables.map(({ name }) => name))
  return tables
    .filter(({ name }) => chosen.has(name))
    .map(({ name, related }) => ({ name, missing: related.filter((other) => listed.has(other) && !chosen.has(other)) }))
    .filter(({ missing }) => missing.length > 0)
}

/**
 * A pull copies everything. A push leaves out what belongs to live, what the staging copy does not have, and what belongs to any of these; of
 * tables that nothing is known about, none is chosen.
 */
export function usualTables(tables: readonly CopiedTable[], { together }: Groups, direction: Direction): ReadonlySet<string> {
  if (direction === 'pull') return new Set(together.keys())
  const left = new Set(tables.filter(({ contents, pulled }) => contents !== '' || pulled !== true).map(({ name }) => name))
  return new Set([...together].filter(([, group]) => [...group].every((name) => !left.has(name))).map(([name]) => name))
}

/** Null if the size of none is known. */
export function bytesOfTables(tables: readonly CopiedTable[]): number | null {
  const known = tables.flatMap(({ bytes }) => bytes ?? [])
  return known.length === 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0)
}
