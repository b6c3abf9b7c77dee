import type { Range } from '@/lib/portal/views/history/read'

/** The beginning of a slot as people write it: a day's with their hours, a month's with their date. */
export function momentFormat(range: Range, timeZone: string): Intl.DateTimeFormat {
  const day = range === '24h' ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return new Intl.DateTimeFormat('en-GB', { ...day, hour: '2-digit', minute: '2-digit', timeZone })
}
