/** What of the list is shown, and in which order: all of it stands in the address, so that it can be passed on. */

export const columns = ['state', 'name', 'hostname', 'address', 'labels', 'dns', 'provider'] as const

export type Column = (typeof columns)[number]

/** Filters that take any of several values. */
export const facets = ['state', 'kind', 'service', 'label'] as const

export type Facet = (typeof facets)[number]

export type ListQuery = {
  /** As typed; every word of it has to be found. */
  search: string
  column: Column
  descending: boolean
  /** Only servers that are not installed, or whose install broke down. */
  needsInstall: boolean
} & Readonly<Record<Facet, readonly string[]>>

export const wholeList: ListQuery = {
  ...{ search: '', column: 'name', descending: false, needsInstall: false },
  ...{ state: [], kind: [], service: [], label: [] },
}

type Params = { get(name: string): string | null; getAll(name: string): string[] }

const isColumn = (text: string): text is Column => (columns as readonly string[]).includes(text)

// An address is anybody's to write: no more of it is taken than a page can use.
const longestSearch = 200
const mostValues = 50

const readValues = (params: Params, name: string): string[] =>
  [...new Set(params.getAll(name))].filter((value) => value !== '').slice(0, mostValues)

/** Reads an address; what makes no sense in it counts as absent. */
export function parseListQuery(params: Params): ListQuery {
  const sort = params.get('sort') ?? ''
  const descending = sort.startsWith('-')
  const column = descending ? sort.slice(1) : sort
  return {
    search: (params.get('q') ?? '').slice(0, longestSearch),
    column: isColumn(column) ? column : 'name',
    descending: isColumn(column) && descending,
    needsInstall: params.get('needs') === 'install',
    state: readValues(params, 'state'),
    kind: readValues(params, 'kind'),
    service: readValues(params, 'service'),
    label: readValues(params, 'label'),
  }
}

/** The address' query with its `?`, empty for the whole list by name: one view has one address. */
export function printListQuery(query: ListQuery): string {
  const params = new URLSearchParams()
  if (query.search.trim()) params.set('q', query.search)
  for (const facet of facets) for (const value of query[facet]) params.append(facet, value)
  if (query.needsInstall) params.set('needs', 'install')
  if (query.column !== 'name' || query.descending) params.set('sort', `${query.descending ? '-' : ''}${query.column}`)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** Whether anything is left out. */
export const isFiltered = (query: ListQuery): boolean =>
  query.search.trim() !== '' || query.needsInstall || facets.some((facet) => query[facet].length > 0)
