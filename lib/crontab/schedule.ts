/** The meaning of five cron fields, as Debian's cron interprets them. */
import { isNickname, nicknames, type TimeName, type Times, timeNames } from './times'

/** The matching minutes, hours and so on. Sunday is 0. */
export type Schedule = {
  minute: ReadonlySet<number>
  hour: ReadonlySet<number>
  dom: ReadonlySet<number>
  mon: ReadonlySet<number>
  dow: ReadonlySet<number>
  /** Both day fields are restricted: then a day has to match only one of them. */
  eitherDay: boolean
  /** Minute or hour begins with a star: the schedule then follows the clock through DST changes; others run once. */
  open: boolean
}

type Range = { unit: string; low: number; high: number; names: readonly string[] }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const ranges: Readonly<Record<TimeName, Range>> = {
  minute: { unit: 'minute', low: 0, high: 59, names: [] },
  hour: { unit: 'hour', low: 0, high: 23, names: [] },
  dom: { unit: 'day of the month', low: 1, high: 31, names: [] },
  mon: { unit: 'month', low: 1, high: 12, names: months },
  dow: { unit: 'weekday', low: 0, high: 7, names: days },
}

/** Why fields are invalid, by name; empty if all are valid. A nickname is in `minute`. */
export function timesRefusals(times: Times): Partial<Record<TimeName, string>> {
  if (isNickname(times)) {
    const known = Object.keys(nicknames)
    return known.includes(times.minute) ? {} : { minute: `Enter five fields, or one of ${known.join(', ')}.` }
  }
  const refusals: Partial<Record<TimeName, string>> = {}
  for (const name of timeNames) if (parseField(times[name], ranges[name]) === null) refusals[name] = formatRange(ranges[name])
  return refusals
}

/** Null for an invalid schedule, and for @reboot, which has no time. */
export function parseSchedule(times: Times): Schedule | null {
  const known = Object.hasOwn(nicknames, times.minute) ? nicknames[times.minute] : undefined
  const fields = isNickname(times) ? known : times
  if (!fields) return null
  const minute = parseField(fields.minute, ranges.minute)
  const hour = parseField(fields.hour, ranges.hour)
  const dom = parseField(fields.dom, ranges.dom)
  const mon = parseField(fields.mon, ranges.mon)
  const dow = parseField(fields.dow, ranges.dow)
  if (!minute || !hour || !dom || !mon || !dow) return null
  // 7 is Sunday too.
  const sundays = dow.has(7) ? new Set([...dow].map((day) => day % 7)) : dow
  const eitherDay = !isOpen(fields.dom) && !isOpen(fields.dow)
  return { minute, hour, dom, mon, dow: sundays, eitherDay, open: isOpen(fields.minute) || isOpen(fields.hour) }
}

/**
 * What cron reads of a field: Debian's knows no random times, so that it takes 0 for 0~30. A field that begins with ~ is refused.
 */
export const readByCron = (field: string): string => field.replace(/(?<=.)~.*/s, '')

/** Cron treats a field as unrestricted if it begins with a star, even with a step. */
const isOpen = (field: string): boolean => field.startsWith('*')

function parseField(text: string, range: Range): ReadonlySet<number> | null {
  const found = new Set<number>()
  for (const part of readByCron(text).split(',')) {
    const values = parsePart(part, range)
    if (values === null) return null
    for (const value of values) found.add(value)
  }
  return found
}

/** A star, a number or name, or two of them with a dash; a step is allowed only after a star or a dash. */
function parsePart(part: string, range: Range): number[] | null {
  const match = /^(?:(\*)|([0-9]+|[a-z]{3})(?:-([0-9]+|[a-z]{3}))?)(?:\/([0-9]{1,3}))?$/i.exec(part)
  if (!match) return null
  const [, star, first, last, stepText] = match
  const step = stepText === undefined ? 1 : Number(stepText)
  if (step === 0 || (stepText !== undefined && !star && last === undefined)) return null
  const from = star ? range.low : numberOf(first, range)
  const to = star ? range.high : last === undefined ? from : numberOf(last, range, from)
  if (from === null || to === null || from > to) return null
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
}

/** after: the beginning of the range, to tell the Sunday at the end of a week from the one at its beginning. */
function numberOf(text: string | undefined, { low, high, names }: Range, after: number | null = 0): number | null {
  if (text === undefined) return null
  const word = text.toLowerCase()
  const place = (after ?? 0) > 0 ? names.lastIndexOf(word) : names.indexOf(word)
  const value = /^\d{1,2}$/.test(word) ? Number(word) : place < 0 ? Number.NaN : place + low
  return value >= low && value <= high ? value : null
}

const formatRange = ({ unit: word, low, high, names }: Range): string => {
  const named = names.length > 0 ? ` or ${names[1]}` : ''
  return `Enter ${word === 'hour' ? 'an' : 'a'} ${word} from ${low} to ${high}${named}, *, a list as 1,2, a range as 1-5, or a step as */2.`
}
