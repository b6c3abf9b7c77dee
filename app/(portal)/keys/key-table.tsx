'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import type { ConnectionView } from '@/lib/portal/subjects/connections/list'
import { showProblem } from '../../_shared/access-requests/held'
import { ConfirmDestroy } from '../../_shared/dialogs/confirm-destroy'
import { ActionForm } from '../../_shared/forms/action-form'
import { type AnyActionResult, callAction, type DataOf, type FormAction } from '../../_shared/forms/call-action'
import { useServerList } from '../../_shared/servers/use-server-list'
import { StepUpField } from '../../_shared/session/step-up-field'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions, FormButtons } from '../../_ui/dialog'
import { Field } from '../../_ui/field'
import { useFormState } from '../../_ui/form-state'
import { Input } from '../../_ui/input'
import type { RowMenu } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { toast } from '../../_ui/toast'
import { freezeConnection, removeConnection, renameConnection, replaceKey } from './actions'
import { type KeyRow, keyColumns } from './key-columns'
import { KeyField } from './key-field'
import { FreezeButton, formatFrozen, formatStops, type KeyDialog, KeyMenuItems, menuIdOf, useKeysChanged } from './key-menu'

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

function RemoveConnection({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { label, servers } = connection
  return (
    <ConfirmChange
      connection={connection}
      onClose={onClose}
      title="Remove connection"
      description={
        <>
          <strong className="font-semibold text-ink">{label}</strong> and its API key are removed.{' '}
          {servers !== 0 ? 'Servers that only this connection lists disappear from Gatehouse. ' : ''}
          Nothing changes at the service: revoke the key there if nothing else uses it.
        </>
      }
      action={removeConnection}
      message={() => `${label} was removed.`}
    />
  )
}

function RenameConnection({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const changed = useKeysChanged()
  const done = ({ label }: { label: string }) => {
    toast(`${connection.label} was renamed to ${label}.`)
    onClose()
    changed()
  }
  return (
    <Dialog open onOpenChange={onClose} title="Rename connection" description={<p>Only the name in Gatehouse changes.</p>}>
      <ActionForm action={renameConnection} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="connectionId" value={connection.id} />
            <Field name="label" label="Name">
              {(control) => <Input {...control} required maxLength={60} autoComplete="off" defaultValue={connection.label} />}
            </Field>
            <FormButtons label="Rename" busy="Renaming…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks before the team's last connection is frozen, because nothing is left that works for everybody. */
function FreezeLast({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const changed = useKeysChanged()
  const freeze = async () => {
    onClose()
    const answer = await callAction(freezeConnection, { connectionId: connection.id })
    if (answer.ok) toast(formatFrozen(connection))
    else showProblem(answer.problem)
    changed()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Freeze ${connection.label}?`}
      description={`It is the team’s last connection that is not frozen. ${formatStops(connection)}`}
    >
      <div className="mt-6">
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="warn-solid" onClick={() => void freeze()}>
            Freeze
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

function ReplaceKey({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const { label, bundled } = connection
  return (
    <ConfirmChange
      connection={connection}
      onClose={onClose}
      title="Replace key"
      description={
        <>
          The new key of <strong className="font-semibold text-ink">{label}</strong> is tested first. If it works, it replaces the old one;
          if not, nothing changes.
        </>
      }
      action={replaceKey}
      message={({ servers }) => `${label} has a new key. It lists ${servers === 1 ? '1 server' : `${servers} servers`}.`}
    >
      <KeyField label="New API key" hint={bundled ? <OwnServiceHint /> : 'It is stored encrypted and never shown again.'} />
      <LossField />
    </ConfirmChange>
  )
}

const OwnServiceHint = () => (
  <>
    On the machine that runs Gatehouse, <code className="font-mono text-code">./gatehouse keys --service create</code> creates one.
  </>
)

/** Shown when the new key lists fewer servers than the old one. */
function LossField() {
  const refused = useFormState().errors.loseServers
  if (!refused) return null
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-small text-danger">{refused}</p>
      <label className="flex items-center gap-2">
        <input type="checkbox" name="loseServers" className="size-4 accent-accent" aria-invalid="true" />
        Replace key anyway
      </label>
    </div>
  )
}

type ConfirmChangeProps<Result extends AnyActionResult> = {
  connection: ConnectionView
  onClose: () => void
  title: string
  /** What changes, and what stays. */
  description: ReactNode
  action: FormAction<Result>
  /** The message to show once it is done. */
  message: (data: DataOf<Result>) => string
  children?: ReactNode
}

/** A change to a connection that requires its typed name and a fresh sign-in. */
function ConfirmChange<Result extends AnyActionResult>(props: ConfirmChangeProps<Result>) {
  const { connection, onClose, title, description, action, message, children } = props
  const changed = useKeysChanged()
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title={title}
      description={<p>{description}</p>}
      name={connection.label}
      action={action}
      target={{ connectionId: connection.id }}
      onDone={(data) => {
        toast(message(data))
        onClose()
        changed()
      }}
    >
      {children}
      <StepUpField />
    </ConfirmDestroy>
  )
}
