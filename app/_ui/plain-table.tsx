import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type PlainColumn = {
  name: string
  /** Its width, and the breakpoint at which it is hidden. */
  className?: string
  /** For columns whose cells need no heading. */
  nameHidden?: true
}

type PlainTableProps = {
  caption: string
  columns: readonly PlainColumn[]
  className?: string
  children: ReactNode
}

/** A short table whose columns fold under the first one on a phone. The rows are one or several <tbody>. */
export function PlainTable({ caption, columns, className = 'table-fixed', children }: PlainTableProps) {
  return (
    <table className={clsx('w-full border-collapse', className)}>
      <caption className="sr-only">{caption}</caption>
      <thead className="border-b border-line max-tablet:sr-only">
        <tr>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              className={clsx('h-9 px-3 text-left text-small font-medium text-muted first:pl-4 last:pr-4', column.className)}
            >
              {column.nameHidden ? <span className="sr-only">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  )
}
