/** How rows and columns of a table are described. */
import type { ReactNode } from 'react'

/** The id identifies a row and stays the same when the list is refreshed. */
export type TableRow = { readonly id: string }

export type Column<Row> = {
  /** Lower-case letters: it also names the column in the table's styles. */
  id: string
  label: string
  /** For a column whose cells say enough: its label is only read aloud. */
  labelHidden?: true
  /** Pixels, padding included, below which its cells cannot be read. A column is exactly that wide unless it grows, or stands alone. */
  minWidth: number
  /** Shares the remaining width with the other columns that grow. */
  grows?: true
  /** One column per table: it is never hidden, contains the row's link, and shows folded columns below itself. */
  main?: true
  /** The order in which columns are hidden as the table gets narrower, 1 first. Absent: never hidden. */
  leaves?: number
  sortable?: true
  cell: (row: Row) => ReactNode
  /** Of the main column: a small sign after the text, which the row's link does not contain. */
  beside?: (row: Row) => ReactNode
  /** Shown below the main cell while the column is hidden. */
  folded?: (row: Row) => ReactNode
  /** The whole text of a cell that may be truncated. */
  title?: (row: Row) => string
  className?: string
}

/** The actions for one row. */
export type RowMenu<Row> = {
  /** The accessible name of the button: "Actions for anna". */
  label: (row: Row) => string
  /** Menu items; null for a row with nothing to do. */
  items: (row: Row) => ReactNode
  /** The DOM id of the button, to restore the focus. */
  buttonId?: (row: Row) => string
  /** One button next to the menu, while there is room for it. */
  quick?: (row: Row) => ReactNode
  /** True if that button shows a short word instead of an icon. */
  quickWord?: true
}

export type Checked = 'all' | 'some' | 'none'

/** Which rows are selected. A row may stand for several ids, such as a group for its members. */
export type TableSelection<Row> = {
  all: Checked
  allLabel: string
  label: (row: Row) => string
  /** Default: the row's own id. */
  idsOf?: ((row: Row) => readonly string[]) | undefined
  has: (id: string) => boolean
  /** `extend`: everything from the previously toggled row to this one follows. */
  toggle: (ids: readonly string[], extend: boolean) => void
  toggleAll: () => void
  clear: () => void
}

export type Sort = { column: string; descending: boolean; onSort: (column: string, descending: boolean) => void }
