'use client'

import type { PointerEvent } from 'react'
import { formatAge, formatShortAge } from './age'
import { useDrawnNow } from './clock'
import { formatExact } from './time-in-zone'
import { useTimeZone } from './time-zone'

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
