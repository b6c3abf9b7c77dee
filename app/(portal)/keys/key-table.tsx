'use client'

import { type ReactNode, useState } from 'react'
import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { useServerList } from '../../_shared/use-server-list'
import { Card } from '../../_ui/card'
import { PlainTable } from '../../_ui/plain-table'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import { Tag } from '../../_ui/tag'
import { type KeyDialog, KeyMenu, menuIdOf } from './key-menu'
import { adviceOf, chipOfState } from './key-state'
import { RemoveConnection } from './remove-connection'
import { RenameConnection } from './rename-connection'
import { ReplaceKey } from './replace-key'

const columns = [
  { name: 'State', className: 'w-32 max-tablet:hidden' },
  { name: 'Connection' },
  { name: 'Fingerprint', className: 'w-48 max-desktop:hidden' },
  { name: 'Owner', className: 'w-24 max-tablet:hidden' },
  { name: 'Servers', className: 'w-20 max-desktop:hidden' },
  { name: 'Last used', className: 'w-32 max-desktop:hidden' },
  { name: 'Actions', className: 'w-14', nameHidden: true },
] as const

const cell = 'px-3 py-2.5 align-top first:pl-4 last:pr-4'

const dialogs = { rename: RenameConnection, replace: ReplaceKey, remove: RemoveConnection } as const

type KeyTableProps = {
  connections: readonly ConnectionView[]
  /** Shown if there are no connections. */
  empty: ReactNode
}

/**
 * One row per connection. States are as fresh as the list of servers; on a phone the columns fold under the name. Dialogs are outside the
 * rows, because the answer to a removal arrives with a page that no longer has the row.
 */
export function KeyTable({ connections, empty }: KeyTableProps) {
  const [open, setOpen] = useState<{ dialog: KeyDialog; connection: ConnectionView } | null>(null)
  const Dialog = open ? dialogs[open.dialog] : null
  const close = () => {
    setOpen(null)
    // The menu it was opened from is gone, so the focus returns to the button of that menu, if its row still exists.
    requestAnimationFrame(() => document.getElementById(menuIdOf(open?.connection.id ?? ''))?.focus())
  }
  return (
    <>
      {connections.length === 0 ? (
        empty
      ) : (
        <Rows connections={connections} onOpen={(dialog, connection) => setOpen({ dialog, connection })} />
      )}
      {Dialog && open ? <Dialog connection={open.connection} onClose={close} /> : null}
    </>
  )
}

type RowsProps = { connections: readonly ConnectionView[]; onOpen: (dialog: KeyDialog, connection: ConnectionView) => void }

function Rows({ connections, onOpen }: RowsProps) {
  const { list } = useServerList()
  const fresh = new Map(list?.connections.map((connection) => [connection.id, connection]))
  return (
    <Card className="overflow-hidden">
      <PlainTable caption="Connections" className="tablet:table-fixed" columns={columns}>
        <tbody className="divide-y divide-line">
          {connections.map((connection) => {
            const now = fresh.get(connection.id)
            return (
              <KeyLine
                key={connection.id}
                connection={connection}
                state={now?.state ?? connection.state}
                problemText={now?.problem?.sentence ?? null}
                onOpen={(dialog) => onOpen(dialog, connection)}
              />
            )
          })}
        </tbody>
      </PlainTable>
    </Card>
  )
}

type KeyLineProps = { connection: ConnectionView; state: string; problemText: string | null; onOpen: (dialog: KeyDialog) => void }

function KeyLine({ connection, state, problemText, onOpen }: KeyLineProps) {
  const { label, address, bundled, keeper, fingerprint, servers, lastUsedAt } = connection
  const chip = <StateChip {...chipOfState(state, problemText === null)} />
  const whose = keeper === 'team' ? 'Team' : 'Only you'
  const used = lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'Never'
  const advice = adviceOf[state] ?? problemText
  return (
    <tr>
      <td className={`${cell} max-tablet:hidden`}>{chip}</td>
      <td className={cell}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-semibold wrap-anywhere">{label}</span>
          {bundled ? <Tag label="Bundled" /> : null}
        </span>
        <span className="block break-all text-muted">
          {bundled ? 'The service that comes with Gatehouse' : <code className="font-mono text-code">{address}</code>}
        </span>
        {advice ? <span className={`block pt-1 text-small ${adviceOf[state] ? 'text-danger' : 'text-warn'}`}>{advice}</span> : null}
        <span className="flex flex-col items-start gap-1 pt-1.5 text-small text-muted desktop:hidden">
          <span className="tablet:hidden">{chip}</span>
          <code className="font-mono text-code">{fingerprint}</code>
          <span>
            <span className="tablet:hidden">{whose} · </span>
            {formatServers(servers)} · used {lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never'}
          </span>
        </span>
      </td>
      <td className={`${cell} font-mono text-code max-desktop:hidden`}>{fingerprint}</td>
      <td className={`${cell} max-tablet:hidden`}>{whose}</td>
      <td className={`${cell} max-desktop:hidden`}>{servers}</td>
      <td className={`${cell} text-muted max-desktop:hidden`}>{used}</td>
      <td className={`${cell} w-14 text-right`}>
        <KeyMenu connection={connection} onOpen={onOpen} />
      </td>
    </tr>
  )
}

const formatServers = (count: number): string => (count === 1 ? '1 server' : `${count} servers`)
