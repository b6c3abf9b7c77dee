import { clsx } from 'clsx'

/** The head of a table that is only read. `className`: its width, and where it is hidden. */
export function PlainHead({ columns }: { columns: readonly { label: string; className?: string }[] }) {
  return (
    <thead className="border-b border-line max-tablet:sr-only">
      <tr>
        {columns.map(({ label, className }) => (
          <th
            key={label}
            scope="col"
            className={clsx('h-9 px-3 text-left text-small font-medium text-muted first:pl-4 last:pr-4', className)}
          >
            {label}
          </th>
        ))}
      </tr>
    </thead>
  )
}
