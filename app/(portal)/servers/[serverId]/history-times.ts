import { timeFormat } from '@/app/_ui/time-in-zone'
import type { Range } from '@/lib/portal/views/history/read'

/** Formats the beginning of a slot: with the hour for a day, with the date for a month. */
export function momentFormat(range: Range, timeZone: string): (moment: number) => string {
  const day = range === '1h' ? {} : range === '24h' ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return timeFormat(timeZone, { ...day, hour: '2-digit', minute: '2-digit' })
}
