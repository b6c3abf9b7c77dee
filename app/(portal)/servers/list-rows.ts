/** The list searched, filtered and ordered. Works the same on the server and in the page. */
import { serverStateOf } from '@/lib/contract/reachability'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { lookOf, needsInstall } from '../../_shared/server-state'
import { type Column, type Facet, facets, type ListQuery } from './list-query'

/** A server with what it is searched and ordered by, worked out once. */
export type IndexedServer = {
  server: ListedServer
  /** Everything that is searched, lower case. */
  text: string
  values: Readonly<Record<Facet, readonly string[]>>
}

export const kindOf = (server: ListedServer): string =>
  server.sandbox ? 'sandbox' : server.provider === '' ? 'unsaid' : server.provider === 'custom' ? 'ssh' : server.provider

const providers: Record<string, string> = { ssh: 'Own server', sandbox: 'Sandbox', unsaid: 'Not said' }

export const sayKind = (kind: string): string => providers[kind] ?? kind

export function indexServers(servers: readonly ListedServer[]): IndexedServer[] {
  return servers.map((server) => ({
    server,
    text: [
      server.name,
      server.hostname,
      server.dns,
      server.address,
      ...server.labels,
      server.connectionLabel,
      server.sandbox ? 'sandbox' : '',
    ]
      .join(' ')
      .toLowerCase(),
    values: { state: [serverStateOf(server)], kind: [kindOf(server)], service: [server.connectionLabel], label: server.labels },
  }))
}

/** How a server stands in each column. Digits are filled up, so that web-9 comes before web-10. */
const sortTexts: Record<Column, (server: ListedServer) => string> = {
  state: (server) => lookOf(server).word,
  name: (server) => server.name,
  hostname: (server) => server.hostname,
  address: (server) => server.address,
  labels: (server) => server.labels.join(' '),
  dns: (server) => server.dns,
  provider: (server) => `${sayKind(kindOf(server))} ${server.connectionLabel}`,
}

const naturally = (text: string): string => text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

type Keyed = { entry: IndexedServer; key: string; name: string }

/** By the column, equal ones by name. What is empty there comes last, either way round. */
export function orderServers(index: readonly IndexedServer[], column: Column, descending: boolean): IndexedServer[] {
  const sign = descending ? -1 : 1
  const keyed = index.map((entry): Keyed => {
    const name = naturally(entry.server.name)
    return { entry, name, key: column === 'name' ? name : naturally(sortTexts[column](entry.server)) }
  })
  return keyed
    .sort(
      (a, b) =>
        Number(a.key === '') - Number(b.key === '') ||
        sign * compare(a.key, b.key) ||
        compare(a.name, b.name) ||
        compare(a.entry.server.id, b.entry.server.id),
    )
    .map(({ entry }) => entry)
}

/** Every word is found somewhere, and each filter that is set has one of its values. Keeps the order. */
export function filterServers(index: readonly IndexedServer[], query: ListQuery): ListedServer[] {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean)
  const set = facets.filter((facet) => query[facet].length > 0)
  return index
    .filter(
      ({ server, text, values }) =>
        words.every((word) => text.includes(word)) &&
        set.every((facet) => values[facet].some((value) => query[facet].includes(value))) &&
        (!query.needsInstall || needsInstall(server)),
    )
    .map(({ server }) => server)
}

/** The values of each filter that occur, with how many servers have them, most first. */
export type FacetCounts = Readonly<Record<Facet, readonly { value: string; count: number }[]>>

export function countFacets(index: readonly IndexedServer[]): FacetCounts {
  const count = (facet: Facet) => {
    const counts = new Map<string, number>()
    for (const { values } of index) for (const value of values[facet]) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts].map(([value, times]) => ({ value, count: times })).sort((a, b) => b.count - a.count || compare(a.value, b.value))
  }
  return { state: count('state'), kind: count('kind'), service: count('service'), label: count('label') }
}
