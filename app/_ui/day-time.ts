import { dayFormat } from './dates'
import { timeFormat } from './time-in-zone'

/** The time in a file name such as backup-2026-11-21-023107.tar.gz, as ISO; null if there is none. Its time zone is unknown. */
export function dateInName(name: string): string | null {
  const match = /(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?:[T_ -]?([0-2]\d)[:.-]?([0-5]\d)[:.-]?([0-5]\d))?(?!\d)/.exec(name)
  if (!match) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** The time of something as a title: "Today 02:14", "Yesterday 23:50", "21 Nov 02:14", and with its year if that is another one. */

type Reading = { timeZone: string; now: number }

/** A function for many titles, because each formatter takes a while to make. Without `now` no day is called today: the zone is unknown. */
export function dayTimeFormat({ timeZone, now }: Reading | { timeZone: string; now: null }): (ms: number) => string {
  const formatDay = dayFormat(timeZone)
  const formatTime = timeFormat(timeZone, { timeStyle: 'short' })
  const named = now === null ? new Map<string, string>() : namedDays(formatDay, now)
  const thisYear = now === null ? '' : ` ${formatDay(now).split(' ').at(-1)}`
  return (ms) => {
    const day = formatDay(ms)
    const shortened = thisYear !== '' && day.endsWith(thisYear) ? day.slice(0, -thisYear.length) : day
    return `${named.get(day) ?? shortened} ${formatTime(ms)}`
  }
}

const hourMs = 3_600_000

/** The day before has 23 to 25 hours when clocks change, and the first of these moments that is not today is in it. */
function namedDays(formatDay: (ms: number) => string, now: number): Map<string, string> {
  const today = formatDay(now)
  const before = [22, 24, 26].map((hours) => formatDay(now - hours * hourMs)).find((day) => day !== today) ?? ''
  return new Map([
    [before, 'Yesterday'],
    [today, 'Today'],
  ])
}
