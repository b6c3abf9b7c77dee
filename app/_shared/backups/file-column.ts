/** The name of a backup's file, which each table of backups has as its last column. */
import type { Column, TableRow } from '../../_ui/table/column'

/** nameOf: '' for a row that is no file. */
export function fileColumn<Row extends TableRow>(nameOf: (row: Row) => string): Column<Row> {
  return {
    id: 'name',
    label: 'File',
    minWidth: 220,
    grows: true,
    leaves: 1,
    sortable: true,
    className: 'font-mono text-code text-muted',
    cell: nameOf,
    title: nameOf,
  }
}
