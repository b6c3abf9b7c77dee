import type { ReactNode } from 'react'
import { fileColumn } from '@/app/_shared/backups/file-column'
import { countOf } from '@/app/_ui/count'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import type { Backup, Made } from './backup'
import { type BackupRow, formatDayHeading } from './backup-rows'

export const backupColumns: readonly Column<BackupRow>[] = [
  {
    id: 'backup',
    label: 'Backup',
    minWidth: 220,
    grows: true,
    main: true,
    cell: (row) => <span className="font-semibold">{row.kind === 'day' ? formatDayHeading(row.day) : row.title}</span>,
  },
  {
    id: 'proof',
    label: 'Verified',
    minWidth: 120,
    leaves: 4,
    cell: ofBackup(({ backup }) => <Proof backup={backup} />),
    folded: ofBackup(({ backup }) => <Proof backup={backup} />),
  },
  {
    id: 'size',
    label: 'Size',
    minWidth: 100,
    leaves: 3,
    sortable: true,
    cell: (row) => (row.kind === 'day' ? <span className="text-muted">{countOf(row.ids.length, 'backup')}</span> : sizeOf(row.backup)),
    folded: ofBackup(({ backup }) => muted(sizeOf(backup))),
  },
  {
    id: 'made',
    label: 'Created',
    minWidth: 132,
    leaves: 2,
    sortable: true,
    className: 'text-muted',
    cell: ofBackup((row) => <Age {...row} />),
    folded: ofBackup((row) => muted(<Age {...row} />)),
  },
  fileColumn((row) => (row.kind === 'backup' ? row.backup.name : '')),
]

type Shown = { backup: Backup; made: Made }

/** A row of a day has none of what its backups have. */
function ofBackup(render: (row: Shown) => ReactNode): (row: BackupRow) => ReactNode {
  return (row) => (row.kind === 'backup' ? render(row) : null)
}

const muted = (text: ReactNode) => <span className="text-small text-muted">{text}</span>

const sizeOf = ({ size }: Backup): string => formatSize(String(size))

/** A time without a time zone is shown as the service wrote it. */
function Age({ backup, made }: Shown) {
  if (made.at !== null) return <RelativeTime at={made.at} />
  return <span className="wrap-anywhere">{backup.date || 'Unknown'}</span>
}

/** A service that does not report verification is not shown as having unverified backups. */
function Proof({ backup: { proven } }: { backup: Backup }) {
  if (proven === undefined) return muted('Unknown')
  return proven ? (
    <span title="Unpacked when it was made, and its database loaded. Unchanged since.">
      <StateChip tone="done" label="Verified" />
    </span>
  ) : (
    <span title="Not unpacked and loaded when it was made, or changed since.">
      <StateChip tone="neutral" label="Not verified" />
    </span>
  )
}
