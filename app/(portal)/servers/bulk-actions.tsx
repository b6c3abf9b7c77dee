'use client'

import { useMemo, useState } from 'react'
import { servers as serverOperations, servers } from '@/lib/contract/operations/servers'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { formatDenied, type MayAt, splitByAccess } from '../../_shared/batches/left-out'
import { UnreadActions } from '../../_shared/batches/unread-actions'
import { useBatchOffers } from '../../_shared/batches/use-batch-offers'
import { downloadCsv } from '../../_shared/collection/csv'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { Dialog } from '../../_ui/dialog'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { offerChoices, type SelectedServer } from './bulk-choices'
import { LabelForm } from './label-form'
import { csvColumns } from './list-csv'
import { useLabels } from './use-labels'

type BulkActionsProps = {
  /** The selected servers, in the order of the list. */
  servers: readonly ListedServer[]
  /** Labels that the team uses already. */
  known: readonly string[]
  /** See useBatchOffers. */
  offers: BatchOffer[] | null
}

/** The actions for all selected servers. */
export function BulkActions({ servers, known, offers }: BulkActionsProps) {
  const read = useBatchOffers('server', offers)
  const { mayAt } = read
  const copy = (what: string, lineOf: (server: ListedServer) => string) => () => copyLines(servers.map(lineOf), what)
  return (
    <>
      {mayAt ? <LabelActions servers={servers} known={known} mayAt={mayAt} /> : null}
      {mayAt ? <BulkOperations selected={servers} mayAt={mayAt} /> : null}
      <UnreadActions offers={read} />
      <Menu trigger={<Button>Copy</Button>}>
        <MenuItem onSelect={copy('names', ({ name }) => name)}>Copy names</MenuItem>
        <MenuItem onSelect={copy('addresses', ({ address, hostname }) => address || hostname)}>Copy addresses</MenuItem>
      </Menu>
      <Button onClick={() => downloadCsv('servers', csvColumns, servers)}>CSV</Button>
    </>
  )
}

type LabelActionsProps = Pick<BulkActionsProps, 'servers' | 'known'> & { mayAt: MayAt }

/** On those servers that the member may change; the others are named before. */
function LabelActions({ servers, known, mayAt }: LabelActionsProps) {
  const [labelling, setLabelling] = useState(false)
  const { allowed, said } = useMemo(
    () => splitByAccess('server', servers, { mayAt, operation: serverOperations.update.id, nameOf: ({ name }) => name }),
    [servers, mayAt],
  )
  const ids = useMemo(() => allowed.map(({ id }) => id), [allowed])
  const refusal = allowed.length === 0 ? formatDenied('server') : undefined
  return (
    <>
      <Button
        aria-disabled={refusal !== undefined || undefined}
        title={refusal}
        onClick={() => (refusal === undefined ? setLabelling(true) : toast(refusal))}
      >
        Add label
      </Button>
      {refusal === undefined ? <RemoveLabel servers={allowed} /> : null}
      <Dialog
        open={labelling}
        onOpenChange={setLabelling}
        title={`Label ${countOf(allowed.length, 'server')}`}
        description={`${said} Labels help your team find servers. They are not sent to the service.`.trim()}
      >
        <LabelForm ids={ids} known={known} onDone={() => setLabelling(false)} />
      </Dialog>
    </>
  )
}

/** Offers the labels that any of them has. */
function RemoveLabel({ servers }: { servers: readonly ListedServer[] }) {
  const { change } = useLabels()
  const carried = useMemo(() => {
    const ids = new Map<string, string[]>()
    for (const { id, labels } of servers) for (const label of labels) ids.set(label, [...(ids.get(label) ?? []), id])
    return [...ids].sort(([a], [b]) => (a < b ? -1 : 1))
  }, [servers])
  if (carried.length === 0) return null
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

/** What can be run on the selected servers, as a batch. */
function BulkOperations({ selected, mayAt }: { selected: readonly SelectedServer[]; mayAt: MayAt }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const offered = offerChoices(selected, mayAt)
  if (offered.length === 0) {
    const refusal = formatDenied('server')
    return (
      <Button aria-disabled title={refusal} onClick={() => toast(refusal)}>
        Run
      </Button>
    )
  }
  const choice = offered.find(({ label }) => label === chosen)
  return (
    <>
      <Menu trigger={<Button>Run</Button>}>
        {offered.map(({ label, operation, left, ids }) => (
          <MenuItem key={label} danger={operation === servers.delete.id} onSelect={() => setChosen(label)}>
            {left === 0 ? label : `${label} (${formatCount(ids.length)} of ${formatCount(selected.length)})`}
          </MenuItem>
        ))}
      </Menu>
      {choice ? (
        <BatchDialog
          key={choice.label}
          open
          onOpenChange={(open) => (open ? null : setChosen(null))}
          operation={choice.operation}
          title={choice.title}
          noun="server"
          description={choice.description}
          confirms={choice.confirms}
          fields={choice.fields}
          ids={choice.ids}
        />
      ) : null}
    </>
  )
}
