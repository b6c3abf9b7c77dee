/** The list of servers as a collection: searched, sorted and filtered, the same on the server and in the browser. */

import { countFacetValues, type Indexed } from '@/app/_shared/collection/query'
import type { CollectionKind } from '../../_shared/collection/kind'
import { csvOf, facetsOf, sortTextsOf } from '../../_shared/collection/list-column'
import { filterRows, indexRows, sortRows } from '../../_shared/collection/rows'
import type { ServerLine } from '../../_shared/servers/server-line'
import { needsInstall } from '../../_shared/servers/server-state'
import { facets, type ListQuery, listQuery } from './list-query'
import { serverColumns } from './server-columns'

export const serverCollection: CollectionKind<ServerLine, ListQuery> = {
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
  sortTexts: sortTextsOf(serverColumns),
  facets: facetsOf(serverColumns),
  flags: [{ id: 'needsInstall', label: 'Needs install', holds: needsInstall }],
  searchHint: 'Filter by name, host, address, label',
  noMatch: {
    title: 'No matching servers',
    description: 'Searches name, hostname, DNS, address, label and service. All words must match.',
  },
}

export const serverCsv = csvOf(serverColumns)

type IndexedServers = readonly Indexed<ServerLine>[]

export const indexServers = (servers: readonly ServerLine[]) => indexRows(serverCollection, servers)

export const orderServers = (index: IndexedServers, column: ListQuery['column'], descending: boolean) =>
  sortRows(serverCollection, index, column, descending)

export const filterServers = (index: IndexedServers, query: ListQuery) => filterRows(serverCollection, index, query)

export const countFacets = (index: IndexedServers) => countFacetValues(facets, index)
