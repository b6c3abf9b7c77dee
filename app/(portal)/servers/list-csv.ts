/** The list as a file for a spreadsheet. */
import type { ListedServer } from '@/lib/portal/servers/row'
import { kindOf, sayKind } from './list-rows'
import { lookOf } from './server-state'

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

/**
 * One cell by RFC 4180. A spreadsheet takes what begins with = + - @ (also their wide forms), a tab or a line end for a
 * formula, and names come from outside: an apostrophe before it makes it text.
 */
export function csvCell(text: string): string {
  const harmless = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n\t;']|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Lines end in CRLF, the last one too. */
export function toCsv(servers: readonly ListedServer[]): string {
  const lines = [columns.map(([head]) => head), ...servers.map((server) => columns.map(([, value]) => value(server)))]
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
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
