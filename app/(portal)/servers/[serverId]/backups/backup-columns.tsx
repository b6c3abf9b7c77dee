/** Backups as a collection: the files of a server, newest first. */
import { fileColumn } from '@/app/_shared/backups/file-column'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { RelativeTime } from '@/app/_ui/relative-time'
import { formatSize } from '@/app/_ui/size'
import { StateChip } from '@/app/_ui/state-chip'
import type { Column } from '@/app/_ui/table/column'
import { type Backup, isPartial, madeAt } from './backup'

export type BackupRow = Backup & { id: string; title: string }

const query = defineQuery({ columns: ['', 'name', 'size', 'made'], defaultColumn: '', facets: [], flags: {} })

export const backupCollection: CollectionKind<BackupRow, typeof query.whole> = {
  noun: 'backup',
  label: 'Backups',
  query,
  nameOf: ({ title }) => title,
  selectLabel: ({ title }) => `Select ${title}`,
  selectAllLabel: 'Select all backups',
  searched: ({ title, name }) => [title, name],
  sortTexts: { name: ({ name }) => name, size: ({ size }) => size.padStart(20, '0'), made: (backup) => madeAt(backup) ?? '' },
  facets: [],
  flags: [],
  noMatch: { title: 'No matching backups', description: '' },
}

type ColumnOptions = {
  /** The newest backup shows what it lacks immediately. */
  newestId: string
  foreign: boolean
}

export const backupColumns = ({ newestId, foreign }: ColumnOptions): readonly Column<BackupRow>[] => [
  {
    id: 'backup',
    label: 'Backup',
    minWidth: 220,
    grows: true,
    main: true,
    cell: (backup) => (
      <>
        <span className="font-semibold">{backup.title}</span>
        <Lacks backup={backup} open={backup.id === newestId} />
      </>
    ),
  },
  {
    id: 'proof',
    label: 'Verified',
    minWidth: 120,
    leaves: 4,
    cell: (backup) => <Proof backup={backup} />,
    folded: (backup) => <Proof backup={backup} />,
  },
  {
    id: 'size',
    label: 'Size',
    minWidth: 100,
    leaves: 3,
    sortable: true,
    cell: ({ size }) => formatSize(size),
    folded: ({ size }) => <span className="text-small text-muted">{formatSize(size)}</span>,
  },
  {
    id: 'made',
    label: 'Created',
    minWidth: 132,
    leaves: 2,
    sortable: true,
    className: 'text-muted',
    cell: (backup) => <Age backup={backup} foreign={foreign} />,
    folded: (backup) => (
      <span className="text-small text-muted">
        <Age backup={backup} foreign={foreign} />
      </span>
    ),
  },
  fileColumn(({ name }) => name),
]

function Age({ backup, foreign }: { backup: Backup; foreign: boolean }) {
  const at = madeAt(backup)
  if (!at) return 'Unknown'
  // Without a timestamp, the date comes from the name, in an unknown time zone.
  return foreign && backup.created_at === undefined ? at.slice(0, 10) : <RelativeTime at={at} />
}

/** A service that does not report verification is not shown as having unverified backups. */
function Proof({ backup }: { backup: Backup }) {
  const { proven } = backup
  if (isPartial(backup)) return <StateChip tone="warn" label="Partial" />
  if (proven === undefined) return <span className="text-small text-muted">Unknown</span>
  return proven ? (
    <span title="Test-restored when it was created: fully unpacked, and its databases loaded. Unchanged since.">
      <StateChip tone="done" label="Verified" />
    </span>
  ) : (
    <span title="Not test-restored, or changed since.">
      <StateChip tone="neutral" label="Not verified" />
    </span>
  )
}

/** What a backup does not contain, in one line, and the reasons below it. */
function Lacks({ backup: { missing = [], left_out: leftOut = [] }, open }: { backup: Backup; open: boolean }) {
  if (missing.length === 0 && leftOut.length === 0) return null
  return (
    <details open={open} className="pt-1 font-sans text-small text-muted">
      <summary className="cursor-pointer rounded-control py-1">
        {[
          missing.length > 0 && `Missing: ${missing.map(({ name }) => name).join(', ')}`,
          leftOut.length > 0 && formatMounts(leftOut.length),
        ]
          .filter(Boolean)
          .join(' · ')}
      </summary>
      <ul className="flex flex-col gap-1 pt-1">
        {missing.map(({ name, reason }) => (
          <li key={name}>
            <span className="font-mono text-code text-ink">{name}</span>: {reason}
          </li>
        ))}
        {leftOut.map((path) => (
          <li key={path}>
            <span className="font-mono text-code text-ink">{path}</span>: Left out: another file system is mounted there.
          </li>
        ))}
      </ul>
    </details>
  )
}

const formatMounts = (count: number): string => (count === 1 ? '1 mounted folder left out' : `${count} mounted folders left out`)
