'use client'

import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { Sheet } from '../../_ui/sheet'
import type { Column } from './list-query'
import { ServerLine } from './server-line'
import { useRowKeys } from './use-row-keys'
import { useRows } from './use-rows'
import type { Selection } from './use-selection'

/** Labels and DNS go first where there is little room: the name has what the others leave. wide: where states say more, at the cost of others. */
const heads: readonly { column: Column; name: string; className: string; wide?: string }[] = [
  { column: 'state', name: 'State', className: 'w-33 max-tablet:hidden', wide: 'w-33 max-tablet:hidden desktop:w-54' },
  { column: 'name', name: 'Name', className: '' },
  {
    column: 'hostname',
    name: 'Hostname',
    className: 'w-52 max-tablet:hidden max-desktop:w-[30%]',
    wide: 'w-40 max-tablet:hidden max-desktop:w-[30%]',
  },
  { column: 'address', name: 'Address', className: 'w-36 max-desktop:hidden' },
  { column: 'labels', name: 'Labels', className: 'w-32 max-[1200px]:hidden', wide: 'w-24 max-[1200px]:hidden' },
  { column: 'dns', name: 'DNS', className: 'w-26 max-[1360px]:hidden' },
  { column: 'provider', name: 'Provider', className: 'w-28 max-tablet:hidden' },
]

type ServerTableProps = {
  /** In order. May be the first few of `count`, as long as the rest is on its way. */
  servers: readonly ListedServer[]
  count: number
  order: { column: Column; descending: boolean }
  onOrder: (column: Column, descending: boolean) => void
  selection: Selection
  severalServices: boolean
}

/** One row per server, of which only those near the window exist. */
export function ServerTable({ servers, count, order, onOrder, selection, severalServices }: ServerTableProps) {
  const table = useRef<HTMLTableElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const ids = useMemo(() => servers.map(({ id }) => id), [servers])
  const place = useMemo(() => (currentId === null ? -1 : ids.indexOf(currentId)), [ids, currentId])
  const { rows, top, measured } = useRows(body, ids, place)
  const current = Math.max(0, place)

  const moveTo = (index: number) => {
    const id = ids[index]
    if (id === undefined) return
    flushSync(() => setCurrentId(id))
    rows.scrollToIndex(index, { align: 'auto' })
    body.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true })
  }
  useRowKeys(table, {
    ...{ count: ids.length, current, moveTo, toggleAll: selection.toggleAll, clear: selection.clear },
    toggle: (index, extend) => {
      const id = ids[index]
      if (id !== undefined) selection.toggle(id, extend)
    },
  })
  useRowUnderFocus(body, ids, setCurrentId)

  const wide = useMemo(() => servers.some(({ reach }) => reach.kind === 'unknown'), [servers])
  const all = selection.ids.size > 0 && servers.every(({ id }) => selection.ids.has(id))
  const items = rows.getVirtualItems()
  const end = items.at(-1)?.end ?? top
  return (
    <Sheet className="overflow-clip">
      <table ref={table} aria-rowcount={count + 1} className="w-full table-fixed border-separate border-spacing-0">
        <caption className="sr-only">Servers</caption>
        <thead className="sticky top-0 z-2 bg-surface">
          <tr aria-rowindex={1}>
            <th scope="col" className="h-9 w-11 border-b border-line p-0">
              <AllBox all={all} some={selection.ids.size > 0} onToggle={selection.toggleAll} />
            </th>
            {heads.map((head) => (
              <SortHead key={head.column} {...head} {...(wide && head.wide && { className: head.wide })} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {items.flatMap((item, place) => {
            const server = servers[item.index]
            const gap = item.start - (items[place - 1]?.end ?? top)
            return [
              gap > 0 ? <Gap key={`before ${item.key}`} height={gap} /> : null,
              server ? (
                <ServerLine
                  key={item.key}
                  server={server}
                  index={item.index}
                  selected={selection.ids.has(server.id)}
                  current={item.index === current}
                  severalServices={severalServices}
                  onToggle={selection.toggle}
                  measure={measured ? rows.measureElement : undefined}
                />
              ) : null,
            ]
          })}
          <Gap height={top + rows.getTotalSize() - end} />
        </tbody>
      </table>
    </Sheet>
  )
}

/** Room for the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      {/* One cell alone: columns that a phone hides would come back with a span over them. */}
      <td style={{ height, padding: 0 }} />
    </tr>
  )
}

/** A row that got the focus by a click or by Tab is where the keyboard goes on from. */
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

function AllBox({ all, some, onToggle }: { all: boolean; some: boolean; onToggle: () => void }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = some && !all
  }, [some, all])
  return (
    <label className="flex h-full min-h-9 touch:min-h-11 w-11 cursor-pointer items-center justify-center">
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all that are shown"
        checked={all}
        onChange={onToggle}
        className="size-4 cursor-pointer accent-accent"
      />
    </label>
  )
}

type SortHeadProps = (typeof heads)[number] & Pick<ServerTableProps, 'order' | 'onOrder'>

function SortHead({ column, name, className, order, onOrder }: SortHeadProps) {
  const here = order.column === column
  const Arrow = order.descending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={here ? (order.descending ? 'descending' : 'ascending') : undefined}
      className={clsx('h-9 border-b border-line p-0 text-left', className)}
    >
      <button
        type="button"
        onClick={() => onOrder(column, here && !order.descending)}
        className="flex h-9 w-full items-center gap-1 rounded-control px-3 text-small font-medium text-muted -outline-offset-2 hover:text-ink"
      >
        {name}
        {here ? <Arrow aria-hidden size={14} strokeWidth={1.5} /> : null}
      </button>
    </th>
  )
}
