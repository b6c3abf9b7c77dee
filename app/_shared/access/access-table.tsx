'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Card } from '@/app/_ui/section'
import type { AccessView } from '@/lib/portal/subjects/team/access/list'
import { formatAccess, formatScopes } from '@/lib/text/access'
import { Dialog, FormButtons } from '../../_ui/dialog'
import { MenuItem } from '../../_ui/menu'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column, RowMenu } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import { SearchedRows } from '../collection/searched-rows'
import { useRowDialog } from '../dialogs/dialog-button'
import { ActionForm } from '../forms/action-form'
import { StepUpField } from '../session/step-up-field'
import { showDone } from '../undo/undoable'
import { AccessDialog } from './access-dialog'
import { AccessSentence, formatSentence, maxNamed, nameOfHolder, useUntil, workOf } from './access-sentence'
import { endAccess } from './actions'
import type { AccessPlace } from './draft'

type AccessTableProps = {
  rows: readonly AccessView[]
  /** Of a member: what they can do and where. Of a server or site: who can do what. */
  of: 'member' | 'place'
  place?: AccessPlace
  labels: readonly string[]
  /** What is said if there are no rows. */
  none: string
}

const menuIdOf = (id: string): string => `access-${id}`

/** One row per access, which is changed, extended and ended from its menu. */
export function AccessTable({ rows, of, place, labels, none }: AccessTableProps) {
  const { opened, open, ways } = useRowDialog<{ dialog: 'change' | 'end'; row: AccessView }>(({ row }) => menuIdOf(row.id))
  if (rows.length === 0) return <Card className="px-4 py-3 text-muted">{none}</Card>
  const menu: RowMenu<AccessView> = {
    label: (row) => `Actions for ${of === 'place' ? nameOfHolder(row) : formatScopes(row.scopes, maxNamed)}`,
    buttonId: ({ id }) => menuIdOf(id),
    items: (row) =>
      row.changeable ? (
        <>
          <MenuItem onSelect={() => open({ dialog: 'change', row })}>{row.state === 'ended' ? 'Give again' : 'Change or extend'}</MenuItem>
          {row.state === 'ended' ? null : (
            <MenuItem danger onSelect={() => open({ dialog: 'end', row })}>
              End access
            </MenuItem>
          )}
        </>
      ) : null,
  }
  const columns = of === 'place' ? [whoColumn, whatColumn, untilColumn, byColumn] : [onlyWhatColumn, untilColumn, byColumn]
  return (
    <>
      <SearchedRows rows={rows} noun="access" placeholder="Member, server, site, work, reason" textOf={textOf}>
        {(shown) => <Table label="Access" columns={columns} rows={shown} {...(rows.some(({ changeable }) => changeable) && { menu })} />}
      </SearchedRows>
      {opened?.dialog === 'change' ? (
        <AccessDialog row={opened.row} holders={[]} {...(place && { place })} labels={labels} {...ways} />
      ) : null}
      {opened?.dialog === 'end' ? <EndDialog row={opened.row} {...ways} /> : null}
    </>
  )
}

/** What can be searched: all that a row shows but its times. */
const textOf = (row: AccessView): string =>
  [
    nameOfHolder(row),
    formatSentence({ given: workOf(row), scopes: row.scopes, period: '' }),
    row.why,
    row.givenBy,
    row.state === 'ended' ? 'ended' : '',
  ].join(' ')

const whoColumn: Column<AccessView> = {
  id: 'who',
  label: 'Who',
  minWidth: 180,
  main: true,
  grows: true,
  cell: (row) => <span className="font-semibold wrap-anywhere">{nameOfHolder(row)}</span>,
}

const What = ({ row }: { row: AccessView }) => (
  <>
    <AccessSentence start="Can" given={workOf(row)} scopes={row.scopes} />
    {row.why === '' ? null : <span className="block text-small wrap-anywhere text-muted">{row.why}</span>}
  </>
)

const shownWhat = { id: 'what', label: 'What', minWidth: 280, grows: true, cell: (row: AccessView) => <What row={row} /> } as const

const onlyWhatColumn: Column<AccessView> = {
  ...shownWhat,
  main: true,
  cell: (row) => (
    <>
      <What row={row} />
      {row.holder.kind === 'role' ? <span className="block text-small text-muted">{nameOfHolder(row)} has this.</span> : null}
    </>
  ),
}

const whatColumn: Column<AccessView> = { ...shownWhat, leaves: 3, folded: (row) => <What row={row} /> }

const Until = ({ row: { from, until, state } }: { row: AccessView }) => {
  const format = useUntil()
  if (state === 'ended') return <StateChip tone="neutral" label="Ended" />
  const end = until === null ? <span className="text-muted">No end</span> : <EndsAt at={until} title={format(until)} />
  return state === 'planned' ? <Planned from={from} end={end} /> : end
}

const untilColumn: Column<AccessView> = {
  id: 'until',
  label: 'Ends',
  minWidth: 130,
  leaves: 2,
  cell: (row) => <Until row={row} />,
  folded: (row) => (
    <span className="text-small text-muted">
      {row.state === 'valid' && row.until !== null ? 'ends ' : null}
      <Until row={row} />
    </span>
  ),
}

/** What has not begun says when it does beside it. */
const By = ({ row: { givenBy, from, state } }: { row: AccessView }) => (
  <span className="wrap-anywhere">
    {givenBy || 'Gatehouse'}
    {state === 'planned' ? null : (
      <>
        , <RelativeTime at={from} />
      </>
    )}
  </span>
)

const byColumn: Column<AccessView> = {
  id: 'by',
  label: 'Given by',
  minWidth: 200,
  leaves: 1,
  className: 'text-muted',
  cell: (row) => <By row={row} />,
  folded: (row) => (
    <span className="text-small text-muted">
      given by <By row={row} />
    </span>
  ),
}

function EndDialog({ row, onClose, onDone }: { row: AccessView; onClose: () => void; onDone: () => void }) {
  const router = useRouter()
  const done = ({ undo }: { undo: string | null }) => {
    showDone('The access was ended.', undo, { refetch: [], during: (work) => work().then(() => router.refresh()) })
    onDone()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="End access"
      description={
        <p className="wrap-anywhere">
          {nameOfHolder(row)}: Can {formatAccess(workOf(row), row.scopes, { most: maxNamed })}. That ends at once, in open pages too.
          Running jobs continue.
        </p>
      }
    >
      <ActionForm action={endAccess} onDone={done} className="mt-4 flex flex-col gap-4">
        {(pending) => (
          <>
            <input type="hidden" name="grantId" value={row.id} />
            <StepUpField />
            <FormButtons label="End access" danger pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** title: the moment in words. */
export const EndsAt = ({ at, title }: { at: string; title: string }) => (
  <span title={title}>
    <RelativeTime at={at} />
  </span>
)

/** What has not begun yet: when it does, and its end. */
export const Planned = ({ from, end }: { from: string; end: ReactNode }) => (
  <>
    <span className="block">
      <StateChip tone="accent" label="Begins" /> <RelativeTime at={from} />
    </span>
    {end}
  </>
)
