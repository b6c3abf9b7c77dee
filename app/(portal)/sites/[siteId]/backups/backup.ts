/** A backup of a site, and when it was made. */

import { dayFormat } from '@/app/_ui/dates'
import { dateInName } from '@/app/_ui/day-time'
import type { Answer } from '@/lib/contract/operation'
import type { backups } from '@/lib/contract/operations/backups'

export type BackupsAnswer = Answer<typeof backups.list>
export type Backup = BackupsAnswer['items'][number]

/**
 * at: ISO, only if the service says it with a time zone; no age is shown without one. day: for the heading, empty if unknown. sortAt: ms
 * since 1970, in the service's time zone if it does not say which.
 */
export type Made = { at: string | null; day: string; sortAt: number }

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayMs = 86_400_000

/** formatDay: a time as a day in the user's time zone. now: tells the year of "Nov 21 10:17", which names none. */
export function madeOf({ name, date, created_at }: Backup, { formatDay, now }: { formatDay: (ms: number) => string; now: number }): Made {
  const exact = Date.parse(created_at ?? '')
  if (!Number.isNaN(exact)) return { at: new Date(exact).toISOString(), day: formatDay(exact), sortAt: exact }
  const written = readDate(date, now) ?? (Date.parse(dateInName(date) ?? dateInName(name) ?? '') || null)
  return written === null ? { at: null, day: '', sortAt: 0 } : { at: null, day: formatWritten(written), sortAt: written }
}

/** "Nov 21 10:17", as the interface writes it: the newest such day that is not in the future. Null for anything else. */
function readDate(date: string, now: number): number | null {
  const [, month = '', day = '', hour = '00', minute = '00'] =
    /^([A-Z][a-z]{2}) +(\d{1,2})(?: +([0-2]?\d):([0-5]\d))?$/.exec(date.trim()) ?? []
  const place = months.indexOf(month)
  if (place < 0) return null
  const year = new Date(now).getUTCFullYear()
  const inYear = (each: number) => Date.UTC(each, place, Number(day), Number(hour), Number(minute))
  // Clocks and time zones differ by less than a day.
  return inYear(year) > now + dayMs ? inYear(year - 1) : inYear(year)
}

/** As written, in whichever time zone that was. */
const formatWritten = dayFormat('UTC')

const reasons: Readonly<Record<NonNullable<Backup['reason']>, string>> = {
  manual: 'Manual',
  nightly: 'Nightly',
  restore: 'Before a restore',
  push: 'Before a push',
  delete: 'Before deletion',
}

export const formatReason = ({ reason }: Backup): string => (reason === undefined ? 'Unknown' : reasons[reason])

/** The newest verified one; the newest of all if the service does not report verification. `backups`: the newest first. */
export function newestGood(backups: readonly Backup[]): Backup | null {
  const saysProof = backups.some(({ proven }) => proven !== undefined)
  return backups.find(({ proven }) => !saysProof || proven === true) ?? null
}
