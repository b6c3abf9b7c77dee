import { weekdayFormat } from './dates'

// Dates and times in form fields, in one format for all browsers and languages: 2026-11-28, 14:05 and 2026-11-28 14:05.

export type TimeKind = 'date' | 'time' | 'moment'

/** The texts of a field of each kind. `pattern` is checked by the browser before the page's scripts run. */
export const timeKinds: Readonly<Record<TimeKind, { placeholder: string; pattern: string; refusal: string }>> = {
  date: { placeholder: 'YYYY-MM-DD', pattern: '\\d{4}-\\d{2}-\\d{2}', refusal: 'Enter a date such as 2026-11-28.' },
  time: { placeholder: 'HH:MM', pattern: '\\d{2}:\\d{2}', refusal: 'Enter a time such as 14:05.' },
  moment: {
    placeholder: 'YYYY-MM-DD HH:MM',
    pattern: '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}',
    refusal: 'Enter a date and a time such as 2026-11-28 14:05.',
  },
}

/**
 * Normalises what was typed; null if it is no date or time. Accepts 28.11.2026, 2026/11/28, 9:05 and a T before the time as well, but not
 * 11/28/2026, which other countries read as day and month.
 */
export function parseTyped(kind: TimeKind, typed: string): string | null {
  const text = typed.trim()
  if (kind === 'date') return parseDate(text)
  if (kind === 'time') return parseTime(text)
  const [, first, second] = /^(.+?)(?:T|,?\s+)([\d:.]+)$/.exec(text) ?? []
  const [date, time] = [parseDate(first ?? ''), parseTime(second ?? '')]
  return date !== null && time !== null ? `${date} ${time}` : null
}

function parseDate(text: string): string | null {
  const yearFirst = /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})$/.exec(text)
  const dayFirst = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text)
  const [year, month, day] = yearFirst ? [yearFirst[1], yearFirst[3], yearFirst[4]] : [dayFirst?.[3], dayFirst?.[2], dayFirst?.[1]]
  if (year === undefined || month === undefined || day === undefined) return null
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = Date.parse(`${date}T00:00:00Z`)
  // Excludes dates such as 31 February, which Date would turn into a day of March.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(date) ? date : null
}

function parseTime(text: string): string | null {
  const [, hours, minutes] = /^(\d{1,2})[:.](\d{2})$/.exec(text) ?? []
  if (hours === undefined || minutes === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}

// Times in a zone. When clocks go back an hour occurs twice: only then the offset says which one is meant, as in "02:30 (UTC+2)".

const nearbyMs = 3 * 3_600_000

/** A function that formats moments (ms since 1970). */
export function timeFormat(timeZone: string, options: Intl.DateTimeFormatOptions): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetOf = (moment: number) => offsets.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return (moment) => {
    const [before, after] = [offsetOf(moment - nearbyMs), offsetOf(moment + nearbyMs)]
    const goneBack = before === after ? 0 : minutesOf(before) - minutesOf(after)
    const offset = offsetOf(moment)
    const other = moment + (offset === before ? 1 : -1) * goneBack * 60_000
    const isRepeated = goneBack > 0 && offsetOf(other) !== offset
    return `${format.format(moment)}${isRepeated ? ` (${shorten(offset)})` : ''}`
  }
}

/** "Sat 28 Nov 2026, 14:05". `at` is ISO. */
export function formatMoment(at: string, timeZone: string): string {
  const moment = Date.parse(at)
  return `${weekdayFormat(timeZone)(moment)}, ${timeFormat(timeZone, { timeStyle: 'short' })(moment)}`
}

/** With seconds and time zone: "Sat 28 Nov 2026, 14:05:33, Europe/Berlin". `at` is ISO. */
export function formatExact(at: string, timeZone: string): string {
  const moment = Date.parse(at)
  const time = timeFormat(timeZone, { timeStyle: 'medium' })(moment)
  return `${weekdayFormat(timeZone)(moment)}, ${time}, ${timeZone.replaceAll('_', ' ')}`
}

/** "GMT+05:30" is 330, "GMT" 0. */
function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

/** "GMT+02:00" is "UTC+2", "GMT+10:30" "UTC+10:30", and both "GMT" and "GMT+00:00" are "UTC". */
function shorten(offset: string): string {
  const [, sign, hours, minutes] = /^GMT([+-])0?(\d+):(\d\d)$/.exec(offset) ?? []
  if (minutesOf(offset) === 0) return 'UTC'
  return `UTC${sign}${hours}${minutes === '00' ? '' : `:${minutes}`}`
}

/** The date and time in a zone as form fields contain it: 2026-11-27 18:00. `at` is ISO. */
export function wallTimeOf(at: string, timeZone: string): string {
  const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const parts = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...fields }).formatToParts(new Date(at))
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}`
}

/** The inverse: ISO; null for text that is no date and time. Of an hour that occurs twice, the first; one that is skipped is an hour later. */
export function isoOf(wall: string, timeZone: string): string | null {
  const typed = parseTyped('moment', wall)
  if (typed === null) return null
  const msOf = (time: string) => Date.parse(`${time.replace(' ', 'T')}Z`)
  const asUtc = msOf(typed)
  const offsetAt = (moment: number) => msOf(wallTimeOf(new Date(moment).toISOString(), timeZone)) - moment
  const near = asUtc - offsetAt(asUtc)
  return new Date(asUtc - offsetAt(near)).toISOString()
}
