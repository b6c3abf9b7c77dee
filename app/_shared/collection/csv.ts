/** A collection as a CSV file. */
import { formatCsvLine } from '@/lib/text/csv'
import { saveFile } from '../../_ui/save-file'

export type CsvColumn<Row> = readonly [head: string, value: (row: Row) => string]

/** Lines end with CRLF, including the last one. */
export function renderCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(([head]) => head), ...rows.map((row) => columns.map(([, value]) => value(row)))]
  return lines.map(formatCsvLine).join('')
}

/** Downloads the file as `servers-2026-11-22.csv`. Its byte order mark tells spreadsheets that it is UTF-8. */
export function downloadCsv<Row>(name: string, columns: readonly CsvColumn<Row>[], rows: readonly Row[]): void {
  saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', `\uFEFF${renderCsv(columns, rows)}`)
}
