'use client'

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import useSWR from 'swr'
import { read } from '@/app/_shared/reads/read'
import { useTimeZone } from '@/app/_ui/clock'
import { Skeleton } from '@/app/_ui/skeleton'
import { timeFormat } from '@/app/_ui/time-in-zone'
import type { History } from '@/lib/portal/views/history/read'
import { dayAddress, formatPulse, formatTick, pathsOf, pulseOf, tickMinutes, ticks } from './pulse'

type PulseStripProps = { serverId: string; first: { to: number; pulse: string; firstInMinutes: number | null } }

/** The lines further down make this read once the page is idle; here its result is only watched. */
const watching = { revalidateOnMount: false, revalidateIfStale: false, revalidateOnFocus: false, revalidateOnReconnect: false }

const steps: Readonly<Record<string, (at: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: () => ticks - 1,
}

/** The samples of the last day. The pointer or the arrow keys show the time of a tick. */
export function PulseStrip({ serverId, first }: PulseStripProps) {
  const { data } = useSWR(dayAddress(serverId), read<History>, watching)
  const { to, pulse, firstInMinutes } = data && data.data.to >= first.to ? { ...data.data, pulse: pulseOf(data.data) } : first
  const [at, setAt] = useState<number | null>(null)
  const timeZone = useTimeZone()
  const { up, down, none } = pathsOf(pulse)
  const said =
    at === null ? formatPulse(pulse, firstInMinutes) : `${formatTime(to - (ticks - at) * tickMinutes, timeZone)}: ${formatTick(pulse[at])}`
  if (firstInMinutes !== null) return <StripSkeleton description={said} />
  const go = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    setAt(Math.min(ticks - 1, Math.max(0, step(at ?? ticks - 1))))
  }
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.min(ticks - 1, Math.max(0, Math.floor(((clientX - left) / width) * ticks))))
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div
        role="slider"
        tabIndex={0}
        aria-label="The last 24 hours"
        aria-valuemin={1}
        aria-valuemax={ticks}
        aria-valuenow={(at ?? ticks - 1) + 1}
        aria-valuetext={said}
        onKeyDown={go}
        onFocus={() => setAt(at ?? ticks - 1)}
        onBlur={() => setAt(null)}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
        className="relative h-6 w-full overflow-hidden max-w-[576px] cursor-default rounded-control py-1"
      >
        <svg viewBox={`0 0 ${ticks * 4 - 1} 16`} preserveAspectRatio="none" aria-hidden className="h-4 w-full">
          <path d={up} className="fill-accent" />
          <path d={down} className="fill-danger" />
          <path d={none} className="fill-line-strong" />
        </svg>
        {at === null ? null : (
          // Moved as a whole by a transform, which causes no layout shift.
          <span
            aria-hidden
            style={{ transform: `translateX(${((at + 0.3) / ticks) * 100}%)` }}
            className="pointer-events-none absolute inset-0"
          >
            <span className="block h-full w-0.5 rounded-chip bg-ink" />
          </span>
        )}
      </div>
      <p aria-hidden className="flex-1 basis-88 text-small text-muted">
        {said}
      </p>
    </div>
  )
}

/** The space of the strip, until there is something to draw. */
function StripSkeleton({ description }: { description: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="h-6 w-full max-w-[576px] py-1">
        <Skeleton className="h-4 w-full" />
      </div>
      <p className="flex-1 basis-88 text-small text-muted">{description}</p>
    </div>
  )
}

function formatTime(minute: number, timeZone: string): string {
  const time = (from: number, options: Intl.DateTimeFormatOptions) =>
    timeFormat(timeZone, { hour: '2-digit', minute: '2-digit', ...options })(from * 60_000)
  return `${time(minute, { weekday: 'short' })} to ${time(minute + tickMinutes, {})}`
}
