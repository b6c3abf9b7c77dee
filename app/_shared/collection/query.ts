/** Which rows of a collection are shown, and in which order. All of it is in the page's address, so that a view can be shared. */
import { compareTexts } from '@/lib/text/compare'

export type BaseQuery = {
  /** As typed; all its words must match. */
  search: string
  /** '' for the order in which the rows came. */
  column: string
  descending: boolean
  /** The ids of the columns to show; absent: those that the member chose, or the usual ones. */
  shown?: readonly string[] | undefined
}

export type Query<Column extends string, Facet extends string, Flag extends string> = BaseQuery & { column: Column } & Readonly<
    Record<Facet, readonly string[]>
  > &
  Readonly<Record<Flag, boolean>>

type Params = { get(name: string): string | null; getAll(name: string): string[] }

type FlagKind = {
  /** Its form in the address. */
  param: readonly [name: string, value: string]
  /** Whether it excludes rows. */
  narrows: boolean
}

type QueryDefinition<Column extends string, Facet extends string, Flag extends string> = {
  columns: readonly Column[]
  defaultColumn: NoInfer<Column>
  /** Filters that take any of several values. */
  facets: readonly Facet[]
  flags: Readonly<Record<Flag, FlagKind>>
  /** The columns that an address may name; without any, none can be chosen. */
  choosable?: readonly string[]
}

export type QueryKind<Q extends BaseQuery> = {
  /** Everything, in the default order. */
  whole: Q
  /** Parses an address; invalid parts count as absent. */
  parse: (params: Params) => Q
  /** The query with its `?`, empty for `whole`: each view has exactly one address. */
  print: (query: Q) => string
  /** Whether any row is excluded. */
  isFiltered: (query: Q) => boolean
  facets: readonly string[]
}

// An address is untrusted: it is only read up to what a page can use.
const maxSearch = 200
const maxValues = 50

const readValues = (params: Params, name: string): string[] =>
  [...new Set(params.getAll(name))].filter((value) => value !== '').slice(0, maxValues)

/** The chosen values of a facet. */
export function chosenOf(query: BaseQuery, facet: string): readonly string[] {
  const value: unknown = Reflect.get(query, facet)
  return Array.isArray(value) ? value : []
}

export const isOn = (query: BaseQuery, flag: string): boolean => Reflect.get(query, flag) === true

/** One value for each name. */
const recordOf = <Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>

export function defineQuery<const Column extends string, const Facet extends string, const Flag extends string>(
  definition: QueryDefinition<Column, Facet, Flag>,
): QueryKind<Query<Column, Facet, Flag>> {
  const { columns, defaultColumn, facets, flags, choosable = [] } = definition
  const flagNames = Object.keys(flags) as Flag[]
  const make = (base: BaseQuery & { column: Column }, valuesOf: (facet: Facet) => readonly string[], flagOf: (flag: Flag) => boolean) => ({
    ...base,
    ...recordOf(facets, valuesOf),
    ...recordOf(flagNames, flagOf),
  })
  return {
    facets,
    whole: make(
      { search: '', column: defaultColumn, descending: false },
      () => [],
      () => false,
    ),
    parse: (params) => {
      const sort = params.get('sort') ?? ''
      const descending = sort.startsWith('-')
      const column = columns.find((known) => known === (descending ? sort.slice(1) : sort))
      const named = new Set((params.get('cols') ?? '').split(' '))
      const shown = choosable.filter((id) => named.has(id))
      return make(
        {
          search: (params.get('q') ?? '').slice(0, maxSearch),
          column: column ?? defaultColumn,
          descending: column !== undefined && descending,
          ...(shown.length > 0 && { shown }),
        },
        (facet) => readValues(params, facet),
        (flag) => params.get(flags[flag].param[0]) === flags[flag].param[1],
      )
    },
    print: (query) => {
      const params = new URLSearchParams()
      if (query.search.trim()) params.set('q', query.search)
      for (const facet of facets) for (const value of chosenOf(query, facet)) params.append(facet, value)
      for (const flag of flagNames) if (isOn(query, flag)) params.set(...flags[flag].param)
      if (query.column !== defaultColumn || query.descending) params.set('sort', `${query.descending ? '-' : ''}${query.column}`)
      // In one order, because a saved view is recognised by its address.
      const shown = choosable.filter((id) => query.shown?.includes(id))
      if (shown.length > 0) params.set('cols', shown.join(' '))
      const text = params.toString()
      return text === '' ? '' : `?${text}`
    },
    isFiltered: (query) =>
      query.search.trim() !== '' ||
      flagNames.some((flag) => flags[flag].narrows && isOn(query, flag)) ||
      facets.some((facet) => chosenOf(query, facet).length > 0),
  }
}

/** A row with its search text and facet values, computed once. */
export type Indexed<Row> = {
  row: Row
  /** Everything that can be searched, lower case. */
  text: string
  values: Readonly<Record<string, readonly string[]>>
}

type FacetCount = { value: string; count: number }

/** The values of each facet that occur, with how many rows have them, most frequent first. */
export type FacetCounts<Facet extends string = string> = Readonly<Record<Facet, readonly FacetCount[]>>

export function countFacetValues<Row, Facet extends string>(facets: readonly Facet[], index: readonly Indexed<Row>[]): FacetCounts<Facet> {
  const count = (facet: Facet) => {
    const counts = new Map<string, number>()
    for (const { values } of index) for (const value of values[facet] ?? []) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts]
      .map(([value, times]) => ({ value, count: times }))
      .sort((a, b) => b.count - a.count || compareTexts(a.value, b.value))
  }
  return recordOf(facets, count)
}
