'use client'

import { useState } from 'react'
import { servers } from '@/lib/contract/operations/servers'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { formatDenied, type MayAt } from '../../_shared/batches/left-out'
import { UnreadActions } from '../../_shared/batches/unread-actions'
import { useBatchOffers } from '../../_shared/batches/use-batch-offers'
import { downloadCsv } from '../../_shared/collection/csv'
import { LabelActions } from '../../_shared/labels/label-actions'
import { Button } from '../../_ui/button'
import { formatCount } from '../../_ui/count'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { offerChoices, type SelectedServer } from './bulk-choices'
import { csvColumns } from './list-csv'

type BulkActionsProps = {
  /** The selected servers, in the order of the list. */
  servers: readonly ListedServer[]
  /** Labels that the team uses already. */
  known: readonly string[]
  /** See useBatchOffers. */
  offers: BatchOffer[] | null
}

const nameOf = ({ name }: ListedServer): string => name

/** The actions for all selected servers. */
export function BulkActions({ servers, known, offers }: BulkActionsProps) {
  const read = useBatchOffers('server', offers)
  const { mayAt } = read
  const copy = (what: string, lineOf: (server: ListedServer) => string) => () => copyLines(servers.map(lineOf), what)
  return (
    <>
      {mayAt ? <LabelActions noun="server" rows={servers} nameOf={nameOf} known={known} mayAt={mayAt} /> : null}
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
