'use client'

import { useState } from 'react'
import type { OperationId } from '@/lib/contract/index'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import type { ListedServer } from '@/lib/portal/subjects/servers/row'
import { BatchDialog } from '../../_shared/batches/batch-dialog'
import { formatDenied, type MayAt, splitByAccess } from '../../_shared/batches/left-out'
import { UnreadActions } from '../../_shared/batches/unread-actions'
import { useBatchOffers } from '../../_shared/batches/use-batch-offers'
import { downloadCsv } from '../../_shared/collection/csv'
import { LabelActions } from '../../_shared/labels/label-actions'
import { Button } from '../../_ui/button'
import { countOf, formatCount } from '../../_ui/count'
import { OfferedButton } from '../../_ui/early-button'
import { Menu, MenuItem } from '../../_ui/menu'
import { toast } from '../../_ui/toast'
import { serverCsv } from './list-rows'

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
      <Button onClick={() => downloadCsv('servers', serverCsv, servers)}>CSV</Button>
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
    return (
      <OfferedButton refusal={formatDenied('server')} onClick={() => undefined}>
        Run
      </OfferedButton>
    )
  }
  const choice = offered.find(({ label }) => label === chosen)
  return (
    <>
      <Menu trigger={<Button>Run</Button>}>
        {offered.map(({ label, operation, left, ids }) => (
          <MenuItem key={label} danger={operation === 'servers.delete'} onSelect={() => setChosen(label)}>
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

/** What can be run on several servers, and what it does there: a service that announces no extensions decides that. */
type Counts = { bundled: number; foreign: number }

type Choice = {
  label: string
  operation: OperationId
  /** Only services that announce extensions offer it. */
  extension?: true
  title: string
  /** What happens, for the numbers of servers whose service announces extensions or not. */
  describe?: (counts: Counts) => string
  confirms?: true
  fields?: Readonly<Record<string, string>>
}

/** left: how many servers it cannot run on. */
export type OfferedChoice = {
  label: string
  operation: string
  title: string
  description: string
  confirms: boolean
  fields: Readonly<Record<string, string>>
  ids: readonly string[]
  left: number
}

/** `extensions`: whether the server's service announces them. */
type SelectedServer = { id: string; name: string; extensions: boolean }

const restarts = 'The web server, PHP and the database may restart. Nothing is removed, and files that you edited in /etc stay.'

const choices: readonly Choice[] = [
  { label: 'Check now', operation: 'servers.summary', title: 'Check %' },
  { label: 'Install', operation: 'servers.install', title: 'Install %', describe: describeInstall },
  { label: 'Bring up to date', operation: 'servers.upgrade', extension: true, title: 'Bring % up to date' },
  {
    label: 'Apply security updates',
    operation: 'servers.applyUpdates',
    extension: true,
    title: 'Install security updates on %',
    describe: () => restarts,
    fields: { security: '1' },
  },
  {
    label: 'Apply all updates',
    operation: 'servers.applyUpdates',
    extension: true,
    title: 'Install updates on %',
    describe: () => restarts,
    fields: { security: '0' },
  },
  {
    label: 'Reboot',
    operation: 'servers.reboot',
    extension: true,
    title: 'Reboot %',
    describe: () => 'Each server is offline for a minute or two. The next one restarts without waiting for it.',
    confirms: true,
  },
  { label: 'Delete', operation: 'servers.delete', title: 'Delete %', describe: describeDelete, confirms: true },
]

function describeInstall({ bundled, foreign }: Counts): string {
  const keeps = 'Servers that are installed already get what they lack.'
  if (foreign === 0) return keeps
  if (bundled === 0) return 'The service decides what an install sets up.'
  return `${keeps} On ${othersOf(foreign)}, their service decides what an install sets up.`
}

function describeDelete({ bundled, foreign }: Counts): string {
  const keep = 'They are removed from this list and keep running. The SSH key of Gatehouse is removed from each that is reachable.'
  if (foreign === 0) return keep
  if (bundled === 0) return 'They are removed from the service and from this list. The service decides what happens on the servers.'
  return `${keep} For ${othersOf(foreign)} this does not hold: they are removed from their service, which decides what happens there.`
}

/** The servers of services that announce no extensions, among others. */
const othersOf = (foreign: number): string => `${formatCount(foreign)} of them`

/** What can be run on at least one of these servers, and on which. */
export function offerChoices(selected: readonly SelectedServer[], mayAt: MayAt): OfferedChoice[] {
  return choices.flatMap(({ label, operation, extension, title, describe, confirms = false, fields = {} }) => {
    const { allowed, said } = splitByAccess('server', selected, { mayAt, operation, nameOf: ({ name }) => name })
    const able = allowed.filter(({ extensions }) => extensions || !extension)
    if (able.length === 0) return []
    const bundled = able.filter(({ extensions }) => extensions).length
    const parts = [said, describe?.({ bundled, foreign: able.length - bundled }), formatLeft(allowed.length - able.length)]
    const [description, left] = [parts.filter(Boolean).join(' '), selected.length - able.length]
    return [{ label, operation, title, description, confirms, fields, ids: able.map(({ id }) => id), left }]
  })
}

const formatLeft = (left: number): string =>
  left === 0 ? '' : `${countOf(left, 'server')} that you selected ${left === 1 ? 'is' : 'are'} left out: the service does not offer this.`
