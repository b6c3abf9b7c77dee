/** The last column of each table of backups: the name of the file. */
import type { Column, TableRow } from '../../_ui/table/column'

/** nameOf: empty for a row that is not a file. */
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
