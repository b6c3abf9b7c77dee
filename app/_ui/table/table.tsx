'use client'

import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Card } from '../section'
import type { Checked, Column, RowMenu, Sort, TableRow, TableSelection } from './column'
import { defaultFoldBelow, findThresholds, renderTableStyle } from './layout'
import { type Lines, SelectCheckbox, TableLine } from './table-line'
import { useRowKeys } from './use-row-keys'
import { useRows } from './use-rows'

export type TableProps<Row extends TableRow> = {
  /** What it lists, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  /** In order. May be the first few of `count` while the rest is being loaded. */
  rows: readonly Row[]
  count?: number | undefined
  lines?: Lines
  sort?: Sort | undefined
  /** The address of a row. The arrow keys move between rows with links. */
  href?: ((row: Row) => string) | undefined
  selection?: TableSelection<Row> | undefined
  menu?: RowMenu<Row> | undefined
  /** The table width in pixels below which only the main column, the selection and the menu remain. */
  foldBelow?: number
}

const nothing = () => undefined

const noSelection: TableSelection<TableRow> = {
  all: 'none',
  allLabel: '',
  label: () => '',
  has: () => false,
  toggle: nothing,
  toggleAll: nothing,
  clear: nothing,
}

/**
 * One row per thing; of many, only those near the window are rendered. Columns are hidden in a stated order as the table gets
 * narrower.
 */
export function Table<Row extends TableRow>(props: TableProps<Row>) {
  const { label, columns, rows, count = rows.length, lines = 'many', sort, href, selection, menu, foldBelow = defaultFoldBelow } = props
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const ids = useMemo(() => rows.map((row) => row.id), [rows])
  const place = useMemo(() => (currentId === null ? -1 : ids.indexOf(currentId)), [ids, currentId])
  const { virtual, top, measured } = useRows(body, ids, { kept: place, lines, foldBelow })
  const current = Math.max(0, place)
  const { has, toggle, toggleAll, clear, label: selectLabel, idsOf } = selection ?? noSelection
  const selects = selection !== undefined
  const select = useMemo(() => (selects ? { label: selectLabel, idsOf, toggle } : undefined), [selects, selectLabel, idsOf, toggle])

  const moveTo = (index: number) => {
    const wanted = ids[index]
    if (wanted === undefined) return
    flushSync(() => setCurrentId(wanted))
    virtual.scrollToIndex(index, { align: 'auto' })
    const link = body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)
    link?.focus({ preventScroll: true })
    // Also out from under the column names above and the bar of a selection below, which the window counts as visible.
    link?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }
  useRowKeys(table, href !== undefined, {
    count: ids.length,
    current,
    moveTo,
    toggleAll,
    clear,
    isSelected: (index) => {
      const row = rows[index]
      return row !== undefined && checkedOf(idsOf?.(row) ?? [row.id], has) === 'all'
    },
    toggle: (index, extend) => {
      const row = rows[index]
      if (row) toggle(idsOf?.(row) ?? [row.id], extend)
    },
  })
  useRowUnderFocus(body, ids, setCurrentId)

  const menuKind = menu ? (menu.quick ? (menu.quickWord ? 'word' : 'quick') : 'menu') : 'none'
  const layout = useMemo(() => ({ columns, selects, menu: menuKind, foldBelow }) as const, [columns, selects, menuKind, foldBelow])
  const style = useMemo(() => renderTableStyle(id, layout), [id, layout])
  const left = useLeft(
    box,
    useMemo(() => findThresholds(layout), [layout]),
  )
  const items = virtual.getVirtualItems()
  const end = items.at(-1)?.end ?? top
  return (
    <Card ref={box} data-table={id} className="@container/table overflow-clip">
      <style>{style}</style>
      <table ref={table} aria-rowcount={count + 1} className="w-full table-fixed border-separate border-spacing-0">
        <caption className="sr-only">{label}</caption>
        <TableHead columns={columns} sort={sort} selection={selection} hasMenu={menu !== undefined} />
        <tbody ref={body}>
          {items.flatMap((item, place) => {
            const row = rows[item.index]
            const gap = item.start - (items[place - 1]?.end ?? top)
            return [
              gap > 0 ? <Gap key={`before ${item.key}`} height={gap} /> : null,
              row ? (
                <TableLine
                  key={item.key}
                  index={item.index}
                  checked={selects ? checkedOf(idsOf?.(row) ?? [row.id], has) : null}
                  select={select}
                  current={item.index === current}
                  measure={measured ? virtual.measureElement : undefined}
                  row={row}
                  columns={columns}
                  left={left}
                  lines={lines}
                  href={href}
                  menu={menu}
                />
              ) : null,
            ]
          })}
          <Gap height={top + virtual.getTotalSize() - end} />
        </tbody>
      </table>
    </Card>
  )
}

function checkedOf(ids: readonly string[], has: (id: string) => boolean): Checked {
  const count = ids.filter(has).length
  if (count === 0) return 'none'
  return count === ids.length ? 'all' : 'some'
}

/** The space of the rows that are not rendered. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      {/* A single cell: a colspan would make hidden columns reappear. */}
      <td style={{ height, padding: 0 }} />
    </tr>
  )
}

/** The arrow keys continue from a row that got the focus by a click or by Tab. */
function useRowUnderFocus(body: { current: HTMLElement | null }, ids: readonly string[], onMove: (id: string) => void): void {
  useEffect(() => {
    const element = body.current
    const onFocus = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
      const id = row ? ids[Number(row.dataset.index)] : undefined
      if (id !== undefined) onMove(id)
    }
    element?.addEventListener('focusin', onFocus)
    return () => element?.removeEventListener('focusin', onFocus)
  }, [body, ids, onMove])
}

/**
 * Which columns are hidden, from the `thresholds` of the layout; null until the page is hydrated. Until then a column's content is
 * rendered in both of its places, and the styles choose; afterwards only where it is visible.
 */
function useLeft(box: RefObject<HTMLElement | null>, thresholds: ReadonlyMap<string, number>): ReadonlySet<string> | null {
  const [left, setLeft] = useState<string | null>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      // Not rendered at all.
      if (width === 0) return
      setLeft([...thresholds].flatMap(([id, least]) => (width < least ? [id] : [])).join(' '))
    })
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, thresholds])
  return useMemo(() => (left === null ? null : new Set(left.split(' '))), [left])
}

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  sort: Sort | undefined
  selection: TableSelection<Row> | undefined
  hasMenu: boolean
}

/** The row of column names, sticky while the page scrolls. */
function TableHead<Row>({ columns, sort, selection, hasMenu }: TableHeadProps<Row>) {
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
