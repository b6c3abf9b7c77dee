/** The columns of the list of backups of all sites, and its query. A new column is a definition and an id in `columns`. */

import { LastBackup } from '@/app/_shared/sites/site-cells'
import type { BackupLine } from '@/lib/portal/views/backups/line'
import type { ListColumns } from '../../_shared/collection/list-column'
import { defineQuery } from '../../_shared/collection/query'
import { backupColumn, domainColumn, serverColumn } from '../../_shared/sites/common-columns'
import { RelativeTime } from '../../_ui/relative-time'
import { formatSize } from '../../_ui/size'
import { backupStateOf, copiedAtOf, copiedBytesOf, formatBackupState, proofOf, sortByBackupState } from './backup-state'
import { BackupStateChip } from './backup-state-chip'

const asIs = (text: string): string => text

/** In the filter by place, and in its cells. */
const onlyHere = 'This server only'

function placesOf({ copies, backupAt, gone }: BackupLine): readonly string[] {
  if (copies === null || copies.length > 0) return (copies ?? []).map(({ target }) => target)
  return gone || backupAt === 'none' || backupAt === '' ? [] : [onlyHere]
}

/** Copies of servers themselves are not proven, so “Never” would be no finding about them. */
const isProvable = ({ of, copies }: BackupLine): boolean => of === 'site' && (copies?.length ?? 0) > 0

const formatPlaces = (line: BackupLine): string => placesOf(line).join(', ')

/** Beside the sidebar of a small laptop there is room for the state, the server, the newest backup and the proof; the state says already whether there is a copy. */
export const backupLineColumns: ListColumns<BackupLine, ColumnId> = {
  state: {
    label: 'State',
    minWidth: 164,
    leaves: 8,
    cell: (line) => <BackupStateChip line={line} />,
    sortText: (line) => sortByBackupState(line),
    facets: [{ id: 'state', label: 'State', valuesOf: (line) => [backupStateOf(line)], format: formatBackupState }],
    csv: [['State', (line) => formatBackupState(backupStateOf(line))]],
  },
  domain: {
    ...domainColumn,
    label: 'Site or server',
    minWidth: 168,
    facets: [{ id: 'of', label: 'Kind', valuesOf: ({ of }) => [of], format: (of) => (of === 'server' ? 'Servers' : 'Sites') }],
  },
  server: { ...serverColumn, minWidth: 136, leaves: 5 },
  backup: {
    ...backupColumn,
    leaves: 7,
    // The column State says that there is none.
    cell: ({ backupAt }) => (backupAt === 'none' ? null : <LastBackup at={backupAt} />),
    csv: [...(backupColumn.csv ?? []), ['Failed since', ({ failedAt }) => failedAt]],
  },
  size: {
    label: 'Size',
    has: ({ copies }) => (copies?.length ?? 0) > 0,
    minWidth: 88,
    leaves: 2,
    className: 'text-muted',
    cell: (line) => <Size line={line} />,
    // Compared as text, so each number gets 16 digits.
    sortText: (line) => String(copiedBytesOf(line)).padStart(16, '0'),
    csv: [['Bytes of the copy', (line) => String(copiedBytesOf(line) || '')]],
  },
  where: {
    label: 'Where',
    has: ({ copies }) => copies !== null,
    minWidth: 160,
    grows: true,
    leaves: 4,
    cell: (line) => <span className={line.copies?.length ? undefined : 'text-muted'}>{formatPlaces(line)}</span>,
    title: formatPlaces,
    sortText: formatPlaces,
    facets: [{ id: 'where', label: 'Where', valuesOf: placesOf, format: asIs }],
    csv: [['Where', formatPlaces]],
  },
  copied: {
    label: 'Last copy',
    has: ({ copies }) => (copies?.length ?? 0) > 0,
    minWidth: 120,
    leaves: 3,
    className: 'text-muted',
    cell: (line) => <CopyAge at={copiedAtOf(line)} />,
    sortText: copiedAtOf,
    csv: [
      ['Last copy', copiedAtOf],
      ['Copy failed since', ({ copyFailedAt }) => copyFailedAt],
    ],
  },
  proven: {
    label: 'Proven',
    has: isProvable,
    minWidth: 104,
    leaves: 6,
    className: 'text-muted',
    cell: (line) => (isProvable(line) ? <Proven proof={proofOf(line)} /> : null),
    // Bad copies first, then those that were never proven, then the oldest proof.
    sortText: (line) => (isProvable(line) ? ({ bad: '0', '': '1' }[proofOf(line)] ?? proofOf(line)) : '9'),
    csv: [['Proven', (line) => proofOf(line)]],
  },
  next: {
    label: 'Next copy',
    has: ({ nextCopyAt }) => nextCopyAt !== '',
    minWidth: 120,
    leaves: 1,
    className: 'text-muted',
    cell: ({ nextCopyAt }) => <CopyAge at={nextCopyAt} />,
    sortText: ({ nextCopyAt }) => nextCopyAt,
    csv: [['Next copy', ({ nextCopyAt }) => nextCopyAt]],
  },
}

function Size({ line }: { line: BackupLine }) {
  const bytes = copiedBytesOf(line)
  return bytes === 0 ? null : formatSize(String(bytes))
}

function Proven({ proof }: { proof: string }) {
  if (proof === 'bad') return <span className="text-danger">Bad copy</span>
  return proof === '' ? 'Never' : <CopyAge at={proof} />
}

const CopyAge = ({ at }: { at: string }) => (at === '' ? null : <RelativeTime at={at} short />)

/** What a phone shows below the domain. */
export const NarrowLine = ({ line }: { line: BackupLine }) => (
  <span className="flex flex-col items-start gap-1.5">
    {line.server === '' ? null : <span className="break-all text-muted">{line.server}</span>}
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <BackupStateChip line={line} />
      <span className="text-small text-muted">
        {line.gone ? <CopyAge at={copiedAtOf(line)} /> : line.backupAt === 'none' ? null : <LastBackup at={line.backupAt} />}
      </span>
    </span>
    {line.copies?.length ? <span className="text-small break-words text-muted">Copied to {formatPlaces(line)}</span> : null}
  </span>
)

/** In the order of the table. */
const columns = ['state', 'domain', 'server', 'backup', 'size', 'where', 'copied', 'proven', 'next'] as const

type ColumnId = (typeof columns)[number]

export const backupQuery = defineQuery({
  columns,
  defaultColumn: 'state',
  // Filters that take any of several values.
  facets: ['state', 'of', 'server', 'backup', 'where'] as const,
  flags: {},
})

export type BackupQuery = typeof backupQuery.whole
