/** The list as a file for a spreadsheet. */
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { formatCsvLine } from '@/lib/text/csv'
import { lookOf } from '../../_shared/server-state'
import { kindOf, sayKind } from './list-rows'

const columns: readonly [head: string, value: (server: ListedServer) => string][] = [
  ['Name', ({ name }) => name],
  ['State', (server) => lookOf(server).word],
  ['Hostname', ({ hostname }) => hostname],
  ['Address', ({ address }) => address],
  ['DNS', ({ dns }) => dns],
  ['Provider', (server) => sayKind(kindOf(server))],
  ['Service', ({ connectionLabel }) => connectionLabel],
  ['Labels', ({ labels }) => labels.join(', ')],
  ['Id', ({ id }) => id],
]

/** Lines end in CRLF, the last one too. */
export function toCsv(servers: readonly ListedServer[]): string {
  const lines = [columns.map(([head]) => head), ...servers.map((server) => columns.map(([, value]) => value(server)))]
  return lines.map(formatCsvLine).join('')
}

/** Hands the file to the browser. The mark at its beginning tells spreadsheets that it is UTF-8. */
export function downloadCsv(servers: readonly ListedServer[]): void {
  const url = URL.createObjectURL(new Blob([`\uFEFF${toCsv(servers)}`], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `servers-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
