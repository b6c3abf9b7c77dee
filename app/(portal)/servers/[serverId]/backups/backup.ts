import { dateInName, dayTimeFormat } from '@/app/_ui/day-time'
import type { Answer } from '@/lib/contract/operation'
import type { serverBackups } from '@/lib/contract/operations/server-backups'

export type BackupsAnswer = Answer<typeof serverBackups.list>
export type Backup = BackupsAnswer['items'][number]

const dayMs = 86_400_000
/** A nightly backup that is half a day late was missed. */
const lateMs = 1.5 * dayMs

/** When it was created, ISO: from the service, else from the file name; null if neither says. */
export function madeAt({ name, created_at }: Backup): string | null {
  if (created_at !== undefined && !Number.isNaN(Date.parse(created_at))) return new Date(created_at).toISOString()
  return dateInName(name)
}

type Reading = { timeZone: string; now: number; foreign: boolean }

/**
 * "Today 02:14, nightly": the bundled service makes only nightly ones, with a date in the name, and what somebody else put there keeps its name.
 * The time zone of a date in a file name is unknown. A backup without a date is titled by its file name.
 */
export function titlesOf({ timeZone, now, foreign }: Reading): (backup: Backup) => string {
  const [known, written] = [dayTimeFormat({ timeZone, now }), dayTimeFormat({ timeZone: 'UTC', now: null })]
  return (backup) => {
    const at = madeAt(backup)
    if (at === null) return backup.name
    // File names often contain only the day.
    if (foreign && backup.created_at === undefined) return written(Date.parse(at)).replace(/ 00:00$/, '')
    if (foreign) return known(Date.parse(at))
    return `${known(Date.parse(at))}, ${dateInName(backup.name) === null ? backup.name : 'nightly'}`
  }
}

/** The newest first; backups without a date come last, by name. */
export function newestFirst(backups: readonly Backup[]): Backup[] {
  return backups.toSorted((one, other) => {
    const [mine, theirs] = [madeAt(one) ?? '', madeAt(other) ?? '']
    if (mine !== theirs) return mine < theirs ? 1 : -1
    return one.name < other.name ? -1 : 1
  })
}

/** Whether something that belongs in it is missing or unverified. Mounted folders do not belong in a backup. */
export const isPartial = ({ missing }: Backup): boolean => missing !== undefined && missing.length > 0

/** The newest verified backup that is not partial; the newest of all if the service does not report verification. Null without one. */
export function newestGood(backups: readonly Backup[]): Backup | null {
  const saysProof = backups.some(({ proven }) => proven !== undefined)
  return newestFirst(backups).find((backup) => !isPartial(backup) && (!saysProof || backup.proven === true)) ?? null
}

/** Whether the last good backup is older than a nightly backup should be. A backup without a date never counts as late. */
export function isLate(backups: readonly Backup[], nowMs: number): boolean {
  const at = madeAt(newestGood(backups) ?? { name: '', size: '' })
  return at !== null && nowMs - Date.parse(at) > lateMs
}
