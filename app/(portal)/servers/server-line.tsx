'use client'

import { clsx } from 'clsx'
import Link from 'next/link'
import { memo } from 'react'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { LabelChip } from '../../_ui/label-chip'
import { Tag } from '../../_ui/tag'
import { kindOf, sayKind } from './list-rows'
import { ServerStateChip } from './server-state-chip'

type ServerLineProps = {
  server: ListedServer
  /** From 0, among all that are shown. */
  index: number
  selected: boolean
  /** The row that the keyboard is at: the only one that Tab stops at. */
  current: boolean
  /** With several services each row says which is its own. */
  severalServices: boolean
  onToggle: (id: string, extend: boolean) => void
  /** Told of the row's element where its height is not known beforehand. */
  measure?: ((row: HTMLTableRowElement | null) => void) | undefined
}

const box = 'h-[var(--spacing-row,40px)] border-b border-line'
const cell = `${box} px-3 last:pr-4`
const mostLabelsShown = 3

/** One server. On a phone the columns fold under the name. Rows are many: each is drawn anew only for its own sake. */
export const ServerLine = memo(function ServerLine(props: ServerLineProps) {
  const { server, index, selected, current, severalServices, onToggle, measure } = props
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={clsx('relative hover:bg-selected has-focus-visible:bg-selected', selected && 'bg-accent-soft hover:bg-accent-soft')}
    >
      <td className={clsx(box, 'relative z-1 p-0 max-tablet:align-top')}>
        <label className="flex h-full min-h-8 max-tablet:min-h-11 w-11 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            aria-label={`Select ${server.name}`}
            tabIndex={current ? 0 : -1}
            checked={selected}
            onChange={(event) => onToggle(server.id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
            className="size-4 cursor-pointer accent-accent"
          />
        </label>
      </td>
      <td className={clsx(cell, 'max-tablet:hidden')}>
        <ServerStateChip server={server} narrow />
      </td>
      <td className={clsx(cell, 'truncate max-tablet:py-2.5')}>
        {/* The link covers its row: the whole of it can be clicked, and there is one name to read. */}
        <Link
          href={`/servers/${server.id}`}
          prefetch={false}
          tabIndex={current ? 0 : -1}
          title={server.name}
          className="font-semibold after:absolute after:inset-0 max-tablet:break-words max-tablet:whitespace-normal focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          {server.name}
        </Link>
        <span className="flex flex-col items-start gap-1.5 pt-0.5 whitespace-normal tablet:hidden">
          <span className="font-mono text-code break-all text-muted">{server.hostname || server.address}</span>
          <span className="flex flex-wrap gap-1.5">
            <ServerStateChip server={server} />
            {server.sandbox ? <Tag word="Sandbox" look="sandbox" /> : null}
            <Labels names={server.labels} />
          </span>
        </span>
      </td>
      <td title={server.hostname} className={clsx(cell, 'truncate font-mono text-code max-tablet:hidden')}>
        {server.hostname}
      </td>
      <td title={server.address} className={clsx(cell, 'truncate font-mono text-code max-desktop:hidden')}>
        {server.address}
      </td>
      <td className={clsx(cell, 'overflow-hidden max-[1200px]:hidden')}>
        <span className="flex gap-1 overflow-hidden">
          <Labels names={server.labels} />
        </span>
      </td>
      <td title={server.dns} className={clsx(cell, 'truncate text-muted max-[1360px]:hidden')}>
        {server.dns || 'Not given'}
      </td>
      <td className={clsx(cell, 'truncate text-muted max-tablet:hidden')}>
        {server.sandbox ? <Tag word="Sandbox" look="sandbox" /> : sayProvider(server)}
        {severalServices ? <span title={server.connectionLabel}> {server.connectionLabel}</span> : null}
      </td>
    </tr>
  )
})

function Labels({ names }: { names: readonly string[] }) {
  const rest = names.slice(mostLabelsShown)
  return (
    <>
      {names.slice(0, mostLabelsShown).map((name) => (
        <LabelChip key={name} name={name} />
      ))}
      {rest.length > 0 ? (
        <span title={rest.join(', ')} className="text-small text-muted">
          +{rest.length}
        </span>
      ) : null}
    </>
  )
}

/** A service that does not say what it is on is at least known itself. */
const sayProvider = (server: ListedServer): string => (server.provider === '' ? server.connectionLabel : sayKind(kindOf(server)))
