/** Times in a zone. When clocks go back an hour occurs twice: only then the offset says which one is meant, as in "02:30 (UTC+2)". */
import { weekdayFormat } from './dates'
import { parseTyped } from './typed-time'

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
