import { Card } from '@/app/_ui/section'
import { formatSize } from '@/app/_ui/size'
import { Skeleton } from '@/app/_ui/skeleton'
import { useTimeZone } from '@/app/_ui/time-zone'
import type { History, Slot } from '@/lib/portal/views/history/read'
import { momentFormat } from './history-times'
import { drawLine } from './line-path'
import { formatFirstTick } from './pulse'

type HistoryChartProps = {
  name: string
  history: History
  /** Used and total, in bytes. */
  figures: (slot: Slot) => readonly [used: number | null, total: number | null]
  /** An additional remark. */
  aside: string
}

const [width, height] = [600, 96]

/** One figure over the range, from zero to the total. */
export function HistoryChart({ name, history, figures, aside }: HistoryChartProps) {
  const { from, to, step, slots } = history
  const format = momentFormat(history.range, useTimeZone())
  const spots = slots.map((slot) => ({ at: slot.from + step / 2, value: figures(slot)[0] }))
  const known = spots.flatMap(({ value }) => value ?? [])
  // A disk that was enlarged is drawn at its present size; without a known size, at the maximum used.
  const top = slots.findLast((slot) => figures(slot)[1] !== null)
  const whole = (top && figures(top)[1]) || Math.max(0, ...known)
  // An hour between two samples is not a gap.
  const { line, area } = drawLine(spots, { from, to, top: whole || 1, width, height, bridge: Math.max(60, step) + step })
  const newest = known.at(-1)
  return (
    <Card className="flex h-[176px] flex-col gap-2 px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-small text-muted">
        <span>
          <span className="font-semibold text-ink">{name}</span> {newest === undefined ? '' : `${sizeOf(newest)} of ${sizeOf(whole)}`}
        </span>
        <span>{aside}</span>
      </p>
      {history.firstInMinutes !== null ? (
        <>
          <Skeleton className="h-24 w-full" />
          <p className="text-small text-muted">{formatFirstTick(history.firstInMinutes)}</p>
        </>
      ) : known.length === 0 ? (
        <p className="text-muted">No data in this period.</p>
      ) : (
        <>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${name} between ${sizeOf(Math.min(...known))} and ${sizeOf(Math.max(...known))} of ${sizeOf(whole)}`}
            className="h-24 w-full overflow-visible border-y border-line"
          >
            <path d={area} className="fill-accent-soft" />
            <path d={line} vectorEffect="non-scaling-stroke" strokeWidth="1.5" strokeLinecap="round" className="fill-none stroke-accent" />
          </svg>
          <p aria-hidden className="flex justify-between text-chip text-muted">
            <span>{format(from * 60_000)}</span>
            <span>Now</span>
          </p>
        </>
      )}
    </Card>
  )
}

const sizeOf = (bytes: number): string => formatSize(String(Math.round(bytes)))
