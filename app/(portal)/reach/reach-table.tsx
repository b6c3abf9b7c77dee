'use client'

import { Card } from '@/app/_ui/section'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'
import type { ReachRowView } from './row'

type ReachTableProps = {
  rows: readonly ReachRowView[]
  /** Whether it tells of a change. */
  compared: boolean
  /** Whether every row is of the member that the page names. */
  ofMember: boolean
  /** What is said if there are no rows. */
  none: string
  /** After how many days a row counts as unused. */
  days: number
}

/** One row for what one member can do through one grant with the same connection. */
export function ReachTable({ rows, compared, ofMember, none, days }: ReachTableProps) {
  if (rows.length === 0) return <Card className="px-4 py-3 text-muted">{none}</Card>
  const further = [throughColumn, usedColumn(days), untilColumn]
  // A change may be that of the role, which stands beside the name.
  if (ofMember && !compared) return <Table label="Reach" columns={[mainWhatColumn, ...further]} rows={rows} />
  const change = compared ? [changeColumn] : []
  return <Table label="Reach" columns={[whoColumn, ...change, whatColumn, ...further]} rows={rows} />
}

/** A sign and a word, which the colour repeats. */
const differences = {
  same: { sign: '=', word: 'Stays', tone: 'neutral', idle: '' },
  lost: { sign: '−', word: 'Ends', tone: 'danger', idle: 'Other access still gives this.' },
  gained: { sign: '+', word: 'Begins', tone: 'ok', idle: 'Other access gave this before.' },
} as const

function Change({ row: { difference, idle: isIdle } }: { row: ReachRowView }) {
  const { sign, word, tone, idle } = differences[difference]
  return (
    <>
      <StateChip tone={isIdle ? 'neutral' : tone} label={`${sign} ${word}`} />
      {isIdle ? <span className="block text-small text-muted">{idle}</span> : null}
    </>
  )
}

/** Hidden last, and then shown first below the member: it is what the table is opened for. */
const changeColumn: Column<ReachRowView> = {
  id: 'change',
  label: 'Change',
  minWidth: 130,
  leaves: 5,
  cell: (row) => <Change row={row} />,
  folded: (row) => <Change row={row} />,
}

const whoColumn: Column<ReachRowView> = {
  id: 'who',
  label: 'Who',
  // Grows, because what is hidden is shown below the member: beside two columns that grow, a narrow one would become a tower of words.
  minWidth: 200,
  grows: true,
  main: true,
  cell: ({ who, role }) => (
    <span className="wrap-anywhere">
      <span className="font-semibold">{who}</span>
      <span className="text-muted">, {role}</span>
    </span>
  ),
}

const What = ({ row: { what, where } }: { row: ReachRowView }) => (
  <span className="wrap-anywhere">
    Can {what}
    <span className="block text-small text-muted">{where}</span>
  </span>
)

const shownWhat = {
  id: 'what',
  label: 'What and where',
  minWidth: 240,
  grows: true,
  cell: (row: ReachRowView) => <What row={row} />,
} as const

const whatColumn: Column<ReachRowView> = { ...shownWhat, leaves: 4, folded: (row) => <What row={row} /> }

const mainWhatColumn: Column<ReachRowView> = { ...shownWhat, main: true }

const Through = ({ row: { access, connection } }: { row: ReachRowView }) => (
  <span className="block text-small wrap-anywhere text-muted">
    {access}
    {connection === '' ? null : <span className="block">with {connection}</span>}
  </span>
)

const throughColumn: Column<ReachRowView> = {
  id: 'through',
  label: 'Through',
  minWidth: 240,
  grows: true,
  leaves: 2,
  cell: (row) => <Through row={row} />,
  folded: (row) => <Through row={row} />,
}

const Used = ({ row: { lastUsedAt, recorded, unused }, days }: { row: ReachRowView; days: number }) => (
  <span className="text-muted">
    {lastUsedAt === null ? recorded ? 'No use known' : 'Not recorded' : <RelativeTime at={lastUsedAt} />}
    {unused ? (
      <span className="block">
        <StateChip tone="warn" label={`Unused for ${days} days`} />
      </span>
    ) : null}
  </span>
)

const usedColumn = (days: number): Column<ReachRowView> => ({
  id: 'used',
  label: 'Last used',
  minWidth: 172,
  leaves: 3,
  cell: (row) => <Used row={row} days={days} />,
  folded: (row) => (
    <span className="text-small">
      Last used: <Used row={row} days={days} />
    </span>
  ),
})

const untilColumn: Column<ReachRowView> = {
  id: 'until',
  label: 'Ends',
  minWidth: 120,
  leaves: 1,
  className: 'text-muted',
  cell: ({ until }) => (until === null ? 'No end' : <RelativeTime at={until} />),
  folded: ({ until }) =>
    until === null ? null : (
      <span className="text-small text-muted">
        ends <RelativeTime at={until} />
      </span>
    ),
}
