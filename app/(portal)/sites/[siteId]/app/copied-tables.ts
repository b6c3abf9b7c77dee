import type { Answer } from '@/lib/contract/operation'
import type { apps } from '@/lib/contract/operations/apps'

export type StagingCopy = Answer<typeof apps.staging>['item'][0]

export type Direction = 'pull' | 'push'

/** A table that may be copied. null: not reported. contents: data that belongs to live, as a word for people; empty for other tables. */
export type CopiedTable = {
  name: string
  bytes: number | null
  rows: number | null
  pulled: boolean | null
  changed: boolean | null
  partners: readonly string[]
  contents: string
}

export function reportedTables({ tables }: StagingCopy): CopiedTable[] {
  const listed = tables.map(
    ({ name, bytes = null, rows = null, pulled, changed, partners, private: contents }): CopiedTable => ({
      ...{ name, bytes, rows, pulled, changed, partners, contents },
    }),
  )
  return unique(listed)
}

/** Of a service that reports nothing but names. */
export const namedTables = (names: readonly string[]): CopiedTable[] =>
  unique(names.map((name) => ({ name, bytes: null, rows: null, pulled: null, changed: null, partners: [], contents: '' })))

/** A name that a service sends twice is still one table. */
const unique = (tables: readonly CopiedTable[]): CopiedTable[] => [...new Map(tables.map((table) => [table.name, table])).values()]

/** By table: itself and all that have to be chosen with it, also through others. */
export function groupTables(tables: readonly CopiedTable[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  return new Map(tables.map(({ name }) => [name, reach(name, byName)]))
}

function reach(name: string, byName: ReadonlyMap<string, CopiedTable>): Set<string> {
  const found = new Set([name])
  // A set that grows while it is iterated also yields what was added.
  for (const each of found) for (const partner of byName.get(each)?.partners ?? []) if (byName.has(partner)) found.add(partner)
  return found
}

type Groups = ReturnType<typeof groupTables>

/** Chosen tables bring their partners. A table that is left out takes along those that need it. */
export function chooseTable(groups: Groups, chosen: ReadonlySet<string>, name: string, on: boolean): ReadonlySet<string> {
  if (on) return new Set([...chosen, ...(groups.get(name) ?? [])])
  return new Set([...chosen].filter((each) => !groups.get(each)?.has(name)))
}

/**
 * A pull copies everything. A push leaves out what belongs to live, what the staging copy does not have, and what needs any of these; of
 * tables that nothing is known about, none is chosen.
 */
export function usualTables(tables: readonly CopiedTable[], groups: Groups, direction: Direction): ReadonlySet<string> {
  if (direction === 'pull') return new Set(groups.keys())
  const left = new Set(tables.filter(({ contents, pulled }) => contents !== '' || pulled !== true).map(({ name }) => name))
  return new Set([...groups].filter(([, group]) => [...group].every((name) => !left.has(name))).map(([name]) => name))
}

/** Null if the size of none is known. */
export function bytesOfTables(tables: readonly CopiedTable[]): number | null {
  const known = tables.flatMap(({ bytes }) => bytes ?? [])
  return known.length === 0 ? null : known.reduce((sum, bytes) => sum + bytes, 0)
}
