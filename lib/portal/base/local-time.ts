/** Days and minutes of a time zone. Pure. */
import 'server-only'

/** day: YYYY-MM-DD. minute: of that day, 0 to 1439. */
export type LocalTime = { day: string; minute: number }

export function localTime(at: Date, timeZone: string): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? ''
  return { day: `${part('year')}-${part('month')}-${part('day')}`, minute: Number(part('hour')) * 60 + Number(part('minute')) }
}

/** Making one takes longer than using it a hundred times. As many as there are time zones. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, ...parts, hourCycle: 'h23' })
  formats.set(timeZone, made)
  return made
}
