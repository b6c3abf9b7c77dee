'use client'

import type { PointerEvent } from 'react'
import { useDrawnNow, useTimeZone } from './clock'
import { countOf } from './count'
import { formatExact } from './time-in-zone'

/** "4 minutes ago", or "4 min ago" if short; the full time and zone on hover. `at` is ISO. */
export function RelativeTime({ at, short = false }: { at: string; short?: boolean }) {
  const now = useDrawnNow(10_000)
  const timeZone = useTimeZone()
  // Created on demand: the first one in a page takes longer than everything else about its times.
  const showExact = ({ currentTarget }: PointerEvent<HTMLTimeElement>) => {
    currentTarget.title = formatExact(at, timeZone)
  }
  return (
    <time dateTime={at} onPointerEnter={showExact} className="whitespace-nowrap" suppressHydrationWarning>
      {(short ? formatShortAge : formatAge)(Date.parse(at) - now)}
    </time>
  )
}

/** Each with what counts as a whole one when a time to come is that little short of it: 90 days are 90 days also a moment later. */
const units = [
  ['year', 31_536_000_000, 1_296_000_000],
  ['month', 2_629_800_000, 43_200_000],
  ['day', 86_400_000, 1_800_000],
  ['hour', 3_600_000, 30_000],
  ['minute', 60_000, 500],
] as const

/** "2 min ago", "3 h ago", for small spaces. */
function formatShortAge(ms: number): string {
  return formatAge(ms)
    .replace(/ minutes?/, ' min')
    .replace(/ hours?/, ' h')
}

/** "4 minutes ago", "yesterday", "in 2 hours". `ms` is the time minus now. */
export function formatAge(ms: number): string {
  for (const [unit, size, slack] of units) {
    const whole = Math.abs(ms) + (ms > 0 ? slack : 0)
    if (whole < size) continue
    // Months are of several lengths, so they are rounded to the nearest.
    const count = unit === 'month' ? Math.round(whole / size) : Math.trunc(whole / size)
    if (unit === 'day' && count === 1) return ms < 0 ? 'yesterday' : 'tomorrow'
    return ms < 0 ? `${countOf(count, unit)} ago` : `in ${countOf(count, unit)}`
  }
  return 'just now'
}
