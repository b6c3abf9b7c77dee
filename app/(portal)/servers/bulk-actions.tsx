'use client'

import { useMemo, useState } from 'react'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { downloadCsv } from '../../_shared/collection/csv'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { Dialog } from '../../_ui/dialog'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { BulkOperations } from './bulk-operations'
import { LabelForm } from './label-form'
import { csvColumns } from './list-csv'
import { useLabels } from './use-labels'

type BulkActionsProps = {
  /** The selected servers, in the order of the list. */
  servers: readonly ListedServer[]
  /** Labels that the team uses already. */
  known: readonly string[]
  mayChange: boolean
}

/** The actions for all selected servers. */
export function BulkActions({ servers, known, mayChange }: BulkActionsProps) {
  const [labelling, setLabelling] = useState(false)
  const ids = useMemo(() => servers.map(({ id }) => id), [servers])
  const refusal = mayChange ? undefined : 'Your role does not allow changes to servers.'
  const copy = (what: string, lineOf: (server: ListedServer) => string) => () => copyLines(servers.map(lineOf), what)
  return (
    <>
      <Button
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setLabelling(true) : toast(refusal))}
      >
        Add label
      </Button>
      <RemoveLabel servers={servers} refusal={refusal} />
      <BulkOperations selected={servers} refusal={refusal} />
      <Menu trigger={<Button>Copy</Button>}>
        <MenuItem onSelect={copy('names', ({ name }) => name)}>Copy names</MenuItem>
        <MenuItem onSelect={copy('addresses', ({ address, hostname }) => address || hostname)}>Copy addresses</MenuItem>
      </Menu>
      <Button onClick={() => downloadCsv('servers', csvColumns, servers)}>CSV</Button>
      <Dialog
        open={labelling}
        onOpenChange={setLabelling}
        title={`Label ${countOf(servers.length, 'server')}`}
        description="Labels help your team find servers. They are not sent to the service."
      >
        <LabelForm ids={ids} known={known} onDone={() => setLabelling(false)} />
      </Dialog>
    </>
  )
}

/** Offers the labels that any of them has. */
function RemoveLabel({ servers, refusal }: { servers: readonly ListedServer[]; refusal: string | undefined }) {
  const { change } = useLabels()
  const carried = useMemo(() => {
    const ids = new Map<string, string[]>()
    for (const { id, labels } of servers) for (const label of labels) ids.set(label, [...(ids.get(label) ?? []), id])
    return [...ids].sort(([a], [b]) => (a < b ? -1 : 1))
  }, [servers])
  if (carried.length === 0) return null
  if (refusal !== undefined) {
    return (
      <Button aria-disabled title={refusal} onClick={() => toast(refusal)}>
        Remove label
      </Button>
    )
  }
  return (
    <Menu trigger={<Button>Remove label</Button>}>
      {carried.map(([label, ids]) => (
        <MenuItem
          key={label}
          onSelect={() => void change(ids, 'remove', label).then((refused) => refused !== null && toast.error(refused))}
        >
          <span className="max-w-60 truncate">{label}</span>
          <span className="ml-auto pl-4 text-small text-muted">{formatCount(ids.length)}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

/** One per line. */
function copyLines(lines: readonly string[], what: string): void {
  const known = lines.filter((line) => line !== '')
  navigator.clipboard.writeText(known.join('\n')).then(
    () => toast(`Copied ${formatCount(known.length)} ${what}.`),
    () => toast.error('The browser blocked copying. Use CSV instead.'),
  )
}
