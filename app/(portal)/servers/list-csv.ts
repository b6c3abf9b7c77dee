/** The list as a CSV file. */
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { type CsvColumn, renderCsv } from '../../_shared/collection/csv'
import { chipOf } from '../../_shared/servers/server-state'
import { formatKind, kindOf } from './list-rows'

export const csvColumns: readonly CsvColumn<ListedServer>[] = [
  ['Name', ({ name }) => name],
  ['State', (server) => chipOf(server).label],
  ['Hostname', ({ hostname }) => hostname],
  ['Address', ({ address }) => address],
  ['DNS', ({ dns }) => dns],
  ['Provider', (server) => formatKind(kindOf(server))],
  ['Service', ({ connectionLabel }) => connectionLabel],
  ['Labels', ({ labels }) => labels.join(', ')],
  ['Id', ({ id }) => id],
]

export const toCsv = (servers: readonly ListedServer[]): string => renderCsv(csvColumns, servers)
