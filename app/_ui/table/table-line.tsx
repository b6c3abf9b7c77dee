'use client'

import { clsx } from 'clsx'
import { Ellipsis } from 'lucide-react'
import { memo, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../button'
import { Menu } from '../menu'
import { Link } from '../page-link'
import type { Checked, Column, RowMenu, TableRow, TableSelection } from './column'

type SelectCheckboxProps = {
  label: string
  checked: Checked
  onToggle: (extend: boolean) => void
  tabIndex?: number | undefined
  className?: string | undefined
}

/** Checked if everything it stands for is selected, indeterminate if some of it is. */
export function SelectCheckbox({ label, checked, onToggle, tabIndex, className }: SelectCheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  const some = checked === 'some'
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <label className={clsx('flex w-11 touch:min-h-11 cursor-pointer items-center justify-center', className)}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        tabIndex={tabIndex}
        checked={checked === 'all'}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  )
}

/** one: every row is one line high while nothing is folded, and long texts are truncated. many: rows are as high as their texts. */
export type Lines = 'one' | 'many'

type TableLineProps<Row> = {
  row: Row
  /** From 0, among all rows. */
  index: number
  columns: readonly Column<Row>[]
  /** The hidden columns; null while only the styles know. */
  left: ReadonlySet<string> | null
  lines: Lines
  href: ((row: Row) => string) | undefined
  /** Null if nothing can be selected in this table. */
  checked: Checked | null
  select: Pick<TableSelection<Row>, 'label' | 'idsOf' | 'toggle'> | undefined
  menu: RowMenu<Row> | undefined
  /** Among rows with links, the only tab stop. */
  current: boolean
  /** Receives the row's element if its height is not known in advance. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined
}

const edge = 'border-b border-line [tr:last-child>&]:border-b-0'

const cellClasses = {
  one: `${edge} h-row px-3 truncate first:pl-4 last:pr-4`,
  many: `${edge} h-row px-3 py-row-gap align-top wrap-anywhere first:pl-4 last:pr-4`,
}

const selectClasses = { one: 'align-middle', many: 'align-top' }

function Line<Row extends TableRow>({
  row,
  index,
  columns,
  left,
  lines,
  href,
  checked,
  select,
  menu,
  current,
  measure,
}: TableLineProps<Row>) {
  const tabIndex = href ? (current ? 0 : -1) : undefined
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={clsx(
        'relative scroll-mt-9',
        href && 'hover:bg-selected has-focus-visible:bg-selected',
        checked === 'all' && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      {select && checked !== null ? (
        <td data-select className={clsx(edge, 'relative z-1 p-0', selectClasses[lines])}>
          <SelectCheckbox
            className="h-row"
            label={select.label(row)}
            checked={checked}
            tabIndex={tabIndex}
            onToggle={(extend) => select.toggle(select.idsOf?.(row) ?? [row.id], extend)}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <td
          key={column.id}
          data-column={column.id}
          data-main={column.main}
          title={href && column.main ? undefined : column.title?.(row)}
          className={clsx(cellClasses[lines], column.className)}
        >
          {column.main && href ? (
            <Beside sign={column.beside?.(row)}>
              <RowLink href={href(row)} title={column.title?.(row)} tabIndex={tabIndex}>
                {column.cell(row)}
              </RowLink>
            </Beside>
          ) : left?.has(column.id) ? null : (
            column.cell(row)
          )}
          {column.main ? <Folded row={row} columns={columns} left={left} /> : null}
        </td>
      ))}
      {menu ? <MenuCell row={row} menu={menu} /> : null}
    </tr>
  )
}

/** Memoised, because there are many rows. */
export const TableLine = memo(Line) as typeof Line

type RowLinkProps = { href: string; title: string | undefined; tabIndex: number | undefined; children: ReactNode }

/** The link covers its row: all of it can be clicked, and screen readers read one name. */
const RowLink = ({ href, title, tabIndex, children }: RowLinkProps) => (
  <Link
    href={href}
    tabIndex={tabIndex}
    title={title}
    className="font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
  >
    {children}
  </Link>
)

/** A long text is truncated before the sign. */
const Beside = ({ sign, children }: { sign: ReactNode; children: ReactNode }) =>
  sign ? (
    <span className="flex items-center gap-1.5">
      <span className="truncate">{children}</span>
      {sign}
    </span>
  ) : (
    children
  )

/** What hidden columns show here. */
function Folded<Row>({ row, columns, left }: Pick<TableLineProps<Row>, 'row' | 'columns' | 'left'>) {
  const parts = columns.flatMap(({ id, folded }) => {
    const shown = left === null || left.has(id) ? folded?.(row) : null
    return shown ? [{ id, shown }] : []
  })
  if (parts.length === 0) return null
  return (
    <div className="flex flex-wrap gap-x-3 font-sans whitespace-normal">
      {parts.map(({ id, shown }) => (
        <div key={id} data-folded={id} className="min-w-0 pt-1">
          {shown}
        </div>
      ))}
    </div>
  )
}

function MenuCell<Row>({ row, menu }: { row: Row; menu: RowMenu<Row> }) {
  const items = menu.items(row)
  return (
    <td className={clsx(edge, 'h-row px-2 py-row-gap text-right align-top whitespace-nowrap')}>
      {items ? (
        <span className="-my-1.5 inline-flex items-center justify-end">
          {menu.quick ? (
            <span data-quick className="inline-flex">
              {menu.quick(row)}
            </span>
          ) : null}
          <Menu
            trigger={
              <Button id={menu.buttonId?.(row)} variant="ghost" icon aria-label={menu.label(row)}>
                <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
              </Button>
            }
          >
            {items}
          </Menu>
        </span>
      ) : null}
    </td>
  )
}
