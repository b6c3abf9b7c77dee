'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { useServerList } from '../../_shared/servers/use-server-list'
import type { RowMenu } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { FreezeButton } from './freeze-button'
import { FreezeLast } from './freeze-last'
import { type KeyRow, keyColumns } from './key-columns'
import { type KeyDialog, KeyMenuItems, menuIdOf } from './key-menu'
import { RemoveConnection } from './remove-connection'
import { RenameConnection } from './rename-connection'
import { ReplaceKey } from './replace-key'

const dialogs = { rename: RenameConnection, replace: ReplaceKey, remove: RemoveConnection, freeze: FreezeLast } as const

type KeyTableProps = {
  connections: readonly ConnectionView[]
  /** Shown if there are no connections. */
  empty: ReactNode
}

/**
 * One row per connection. States are as fresh as the list of servers.
 * Dialogs are outside the rows, because the answer to a removal arrives together with a page without that row.
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
  const router = useRouter()
  const fresh = new Map(list?.connections.map((connection) => [connection.id, connection]))
  // The page was rendered before the list of a new connection was there, which has the number of its servers.
  const counted = connections.some(({ id, servers }) => servers === null && fresh.get(id)?.problem === null)
  useEffect(() => {
    if (counted) router.refresh()
  }, [counted, router])
  const rows = connections.map((connection): KeyRow => {
    const now = fresh.get(connection.id)
    return { id: connection.id, connection, state: now?.state ?? connection.state, problem: now?.problem ?? null }
  })
  const menu: RowMenu<KeyRow> = {
    label: ({ connection }) => `Actions for ${connection.label}`,
    buttonId: ({ id }) => menuIdOf(id),
    quick: ({ connection }) => <FreezeButton connection={connection} onAsk={() => onOpen('freeze', connection)} />,
    quickWord: true,
    items: ({ connection }) => <KeyMenuItems connection={connection} onOpen={(dialog) => onOpen(dialog, connection)} />,
  }
  return <Table label="Connections" columns={keyColumns} rows={rows} menu={menu} />
}
