/** Days as filters give them: parsed, and when they begin in a time zone. */
import 'server-only'

/** YYYY-MM-DD, or null for anything else. */
export function dayOf(text: string): string | null {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  // Excludes dates such as 31 February, which Date would turn into a day of March.
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}

const dayMs = 86_400_000

/**
 * When a day begins in a time zone, after adding `later` whole days.
 * @param day YYYY-MM-DD
 */
export function startOfDay(day: string, zone: string, later = 0): Date {
  return momentAt(Date.parse(`${day}T00:00:00Z`) + later * dayMs, zone)
}

/** When clocks in a time zone show a time. wall: what they show, as if it were UTC, in ms since 1970. */
export function momentAt(wall: number, zone: string): Date {
  // The offset at the exact moment counts; the second lookup is for days on which it changes.
  const near = wall - offsetMs(new Date(wall), zone)
  return new Date(wall - offsetMs(new Date(near), zone))
}

/** The inverse: what clocks in a time zone show at a moment (ms since 1970), as if it were UTC. */
export const wallAt = (moment: number, zone: string): number => moment + offsetMs(new Date(Math.floor(moment / 1000) * 1000), zone)

function offsetMs(at: Date, zone: string): number {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', ...fields }).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - at.getTime()
}
