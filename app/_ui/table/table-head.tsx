'use client'

import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Column, Sort, TableSelection } from './column'
import { SelectCheckbox } from './select-checkbox'

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  selection: TableSelection<Row> | undefined
  hasMenu: boolean
}

/** The row of column names, sticky while the page scrolls. */
export function TableHead<Row>({ columns, sort, selection, hasMenu }: TableHeadProps<Row>) {
  return (
    <thead className="sticky top-0 z-2 bg-surface">
      <tr aria-rowindex={1}>
        {selection ? (
          <th scope="col" className="h-9 w-11 border-b border-line p-0">
            <SelectCheckbox className="min-h-9" label={selection.allLabel} checked={selection.all} onToggle={selection.toggleAll} />
          </th>
        ) : null}
        {columns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} />
        ))}
        {hasMenu ? (
          <th scope="col" data-menu className="h-9 border-b border-line p-0">
            <span className="sr-only">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

function HeadCell<Row>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) {
  const sorted = sort?.column === column.id
  const Arrow = sort?.descending ? ArrowDown : ArrowUp
  const text = 'flex h-9 w-full items-center gap-1 px-3 text-small font-medium text-muted in-[th:first-child]:pl-4'
  return (
    <th
      scope="col"
      data-column={column.id}
      data-min={column.minWidth}
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      className="h-9 border-b border-line p-0 text-left"
    >
      {sort && column.sortable ? (
        <button
          type="button"
          onClick={() => sort.onSort(column.id, sorted && !sort.descending)}
          className={clsx(text, 'rounded-control -outline-offset-2 hover:text-ink')}
        >
          {column.label}
          {sorted ? <Arrow aria-hidden size={14} strokeWidth={1.5} /> : null}
        </button>
      ) : (
        <span className={text}>{column.labelHidden ? <span className="sr-only">{column.label}</span> : column.label}</span>
      )}
    </th>
  )
}
