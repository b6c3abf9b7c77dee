/** The list of servers as a collection: searched, sorted and filtered, the same on the server and in the browser. */
import { serverStateOf } from '@/lib/contract/reachability'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import type { CollectionKind } from '../../_shared/collection/kind'
import { countFacetValues, filterRows, type Indexed, indexRows, sortRows } from '../../_shared/collection/rows'
import { chipOf, formatState, needsInstall } from '../../_shared/servers/server-state'
import { facets, type ListQuery, listQuery } from './list-query'

export const kindOf = (server: ListedServer): string =>
  server.sandbox ? 'sandbox' : server.provider === '' ? 'unsaid' : server.provider === 'custom' ? 'ssh' : server.provider

const providers: Record<string, string> = { ssh: 'Own server', sandbox: 'Sandbox', unsaid: 'Unknown' }

export const formatKind = (kind: string): string => providers[kind] ?? kind

export const serverCollection: CollectionKind<ListedServer, ListQuery> = {
  noun: 'server',
  label: 'Servers',
  query: listQuery,
  nameOf: ({ name }) => name,
  selectLabel: ({ name }) => `Select ${name}`,
  selectAllLabel: 'Select all that are shown',
  searched: ({ name, hostname, dns, address, labels, connectionLabel, sandbox }) => [
    name,
    hostname,
    dns,
    address,
    ...labels,
    connectionLabel,
    sandbox ? 'sandbox' : '',
  ],
  sortTexts: {
    state: (server) => chipOf(server).label,
    name: (server) => server.name,
    hostname: (server) => server.hostname,
    address: (server) => server.address,
    labels: (server) => server.labels.join(' '),
    dns: (server) => server.dns,
    provider: (server) => `${formatKind(kindOf(server))} ${server.connectionLabel}`,
  },
  facets: [
    { id: 'state', label: 'State', valuesOf: (server) => [serverStateOf(server)], format: formatState },
    { id: 'kind', label: 'Provider', valuesOf: (server) => [kindOf(server)], format: formatKind },
    { id: 'service', label: 'Service', valuesOf: ({ connectionLabel }) => [connectionLabel], format: (label) => label },
    { id: 'label', label: 'Label', valuesOf: ({ labels }) => labels, format: (label) => label },
  ],
  flags: [{ id: 'needsInstall', label: 'Needs install', holds: needsInstall }],
  searchHint: 'Filter by name, host, address, label',
  noMatch: {
    title: 'No matching servers',
    description: 'Searches name, hostname, DNS, address, label and service. All words must match.',
  },
}

type IndexedServers = readonly Indexed<ListedServer>[]

export const indexServers = (servers: readonly ListedServer[]) => indexRows(serverCollection, servers)

export const orderServers = (index: IndexedServers, column: ListQuery['column'], descending: boolean) =>
  sortRows(serverCollection, index, column, descending)

export const filterServers = (index: IndexedServers, query: ListQuery) => filterRows(serverCollection, index, query)

export const countFacets = (index: IndexedServers) => countFacetValues(facets, index)
