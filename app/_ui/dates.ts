/** Dates in the one format of all pages, "28 Nov 2026", "Sat 28 Nov 2026"; and durations. */

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** A function that formats moments (ms since 1970), for lists: a formatter takes long to create. */
export function dayFormat(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...day, timeZone })
  return (moment) => format.format(moment)
}

/** The same with the day of the week before it. Formatted separately, because browsers disagree about a comma between them. */
export function weekdayFormat(timeZone: string): (moment: number) => string {
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone })
  const format = dayFormat(timeZone)
  return (moment) => `${weekday.format(moment)} ${format(moment)}`
}

/** "41 s", "3 min 41 s", "2 h 5 min", "41 days". Node 20 has no Intl.DurationFormat. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} days`
}

/** "30 minutes", "2 hours". */
export const formatIdle = (minutes: number): string =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`
