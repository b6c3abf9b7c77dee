/**
 * How long ago, in words. The browser's own formatter does the same, but its first use in a page loads its tables, which takes a phone a
 * tenth of a second.
 */
import { countOf } from './count'

const units = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "2 min ago", "3 h ago", for small spaces. */
export function formatShortAge(ms: number): string {
  return formatAge(ms)
    .replace(/ minutes?/, ' min')
    .replace(/ hours?/, ' h')
}

/** "4 minutes ago", "yesterday", "in 2 hours". `ms` is the time minus now. */
export function formatAge(ms: number): string {
  for (const [unit, size] of units) {
    const count = Math.trunc(Math.abs(ms) / size)
    if (count === 0) continue
    if (unit === 'day' && count === 1) return ms < 0 ? 'yesterday' : 'tomorrow'
    return ms < 0 ? `${countOf(count, unit)} ago` : `in ${countOf(count, unit)}`
  }
  return 'just now'
}
