/** Backups of a site as a collection: the newest first, under the days on which they were made. */
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { countOf } from '@/app/_ui/count'
import { dayFormat } from '@/app/_ui/dates'
import { dayTimeFormat } from '@/app/_ui/day-time'
import { type Backup, formatReason, type Made, madeOf } from './backup'

export type BackupRow =
  | { id: string; kind: 'backup'; title: string; backup: Backup; made: Made }
  | { id: string; kind: 'day'; day: string; ids: readonly string[] }

type Reading = { timeZone: string; now: number }

/** The newest first; those without a date come last. A service may list a name twice. */
export function backupRows(items: readonly Backup[], { timeZone, now }: Reading): BackupRow[] {
  const formatDay = dayFormat(timeZone)
  const titles = { known: dayTimeFormat({ timeZone, now }), written: dayTimeFormat({ timeZone: 'UTC', now: null }) }
  const unique = [...new Map(items.map((backup) => [backup.name, backup])).values()]
  return unique
    .map((backup) => {
      const made = madeOf(backup, { formatDay, now })
      return { id: backup.name, kind: 'backup' as const, title: titleOf(backup, made, titles), backup, made }
    })
    .sort((one, other) => other.made.sortAt - one.made.sortAt)
}

type Titles = Readonly<Record<'known' | 'written', (ms: number) => string>>

/** "Today 02:14, nightly". A time in an unknown zone is shown with its date. A backup without a time is titled by its file name. */
function titleOf(backup: Backup, { at, sortAt }: Made, { known, written }: Titles): string {
  if (sortAt === 0) return backup.name
  const when = (at === null ? written : known)(sortAt)
  return backup.reason === undefined ? when : `${when}, ${formatReason(backup).toLowerCase()}`
}

const query = defineQuery({ columns: ['', 'name', 'size', 'made'], defaultColumn: '', facets: [], flags: {} })

const textOf = (format: (row: Extract<BackupRow, { kind: 'backup' }>) => string) => (row: BackupRow) =>
  row.kind === 'backup' ? format(row) : ''

export const formatDayHeading = (day: string): string => (day === '' ? 'Date unknown' : day)

export const backupCollection: CollectionKind<BackupRow, typeof query.whole> = {
  noun: 'backup',
  label: 'Backups',
  query,
  nameOf: (row) => (row.kind === 'backup' ? row.title : formatDayHeading(row.day)),
  selectLabel: (row) =>
    row.kind === 'day' ? `Select ${countOf(row.ids.length, 'backup')}: ${formatDayHeading(row.day)}` : `Select ${row.title}`,
  selectAllLabel: 'Select all backups',
  searched: (row) => (row.kind === 'backup' ? [row.id, row.title] : []),
  sortTexts: {
    name: ({ id }) => id,
    size: textOf(({ backup: { size } }) => String(size).padStart(20, '0')),
    made: textOf(({ made }) => String(made.sortAt).padStart(15, '0')),
  },
  facets: [],
  flags: [],
  noMatch: { title: 'No matching backups', description: '' },
}

/** Each day before its backups. */
export function arrangeByDay(shown: readonly BackupRow[]): readonly BackupRow[] {
  const days = new Map<string, BackupRow[]>()
  for (const row of shown) {
    if (row.kind === 'day') continue
    days.set(row.made.day, [...(days.get(row.made.day) ?? []), row])
  }
  return [...days].flatMap(([day, rows]): BackupRow[] => [{ id: `day ${day}`, kind: 'day', day, ids: rows.map(({ id }) => id) }, ...rows])
}

/** The backups that a row stands for. */
export const idsOfRow = (row: BackupRow): readonly string[] => (row.kind === 'day' ? row.ids : [row.id])
