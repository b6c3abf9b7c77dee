'use client'

import type { PointerEvent } from 'react'
import { formatAge, formatShortAge } from './age'
import { useDrawnNow } from './clock'
import { useTimeZone } from './time-zone'

/** "4 minutes ago", or "4 min ago" if short; the full time and zone on hover. `at` is ISO. */
export function RelativeTime({ at, short = false }: { at: string; short?: boolean }) {
  const now = useDrawnNow(10_000)
  const timeZone = useTimeZone()
  const time = new Date(at)
  // Created on demand: the first one in a page takes longer than everything else about its times.
  const formatExact = ({ currentTarget }: PointerEvent<HTMLTimeElement>) => {
    currentTarget.title = time.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone })
  }
  return (
    <time dateTime={at} onPointerEnter={formatExact} className="whitespace-nowrap" suppressHydrationWarning>
      {(short ? formatShortAge : formatAge)(time.getTime() - now)}
    </time>
  )
}
