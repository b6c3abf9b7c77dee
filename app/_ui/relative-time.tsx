'use client'

import type { PointerEvent } from 'react'
import { sayAge } from './age'
import { useDrawnNow } from './clock'
import { useTimeZone } from './time-zone'

/** "4 minutes ago"; the full time and zone on hover. `at` is ISO. */
export function RelativeTime({ at }: { at: string }) {
  const now = useDrawnNow(10_000)
  const timeZone = useTimeZone()
  const time = new Date(at)
  // Made when asked for: the first of these in a page takes longer than all else that is done for its times.
  const sayWhole = ({ currentTarget }: PointerEvent<HTMLTimeElement>) => {
    currentTarget.title = time.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone })
  }
  return (
    <time dateTime={at} onPointerEnter={sayWhole} className="whitespace-nowrap" suppressHydrationWarning>
      {sayAge(time.getTime() - now)}
    </time>
  )
}
