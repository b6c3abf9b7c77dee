'use client'

import { useNow } from './clock'
import { useTimeZone } from './time-zone'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

// Making one takes longer than all else that is done for a time, and a list has many times.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone })
  formats.set(timeZone, format)
  return format
}

/** "4 minutes ago"; the full time and zone on hover. `at` is ISO. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(10_000)
  const timeZone = useTimeZone()
  const time = new Date(at)
  return (
    <time
      dateTime={at}
      title={now === null ? undefined : formatIn(timeZone).format(time)}
      className="whitespace-nowrap"
      suppressHydrationWarning
    >
      {sayAge(time.getTime(), now ?? Date.now())}
    </time>
  )
}

function sayAge(at: number, now: number): string {
  const seconds = (at - now) / 1000
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit)
  }
  return 'just now'
}
