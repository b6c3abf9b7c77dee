'use client'

import { useId, useState } from 'react'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useRead } from '@/app/_shared/reads/use-read'
import { useTimeZone } from '@/app/_ui/clock'
import { Card } from '@/app/_ui/section'
import { Segments } from '@/app/_ui/segments'
import { formatSize } from '@/app/_ui/size'
import { Skeleton } from '@/app/_ui/skeleton'
import { timeFormat } from '@/app/_ui/time-in-zone'
import type { History, Range, Slot } from '@/lib/portal/views/history/read'
import { drawLine } from './line-path'
import { dayAddress, formatFirstTick, historyAddress } from './pulse'
import { formatFull } from './summary'

/** Formats the beginning of a slot: with the hour for a day, with the date for a month. */
function momentFormat(range: Range, timeZone: string): (moment: number) => string {
  const day = range === '1h' ? {} : range === '24h' ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return timeFormat(timeZone, { ...day, hour: '2-digit', minute: '2-digit' })
}

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
function HistoryChart({ name, history, figures, aside }: HistoryChartProps) {
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
          <span className="font-semibold text-ink">{name}</span> {newest === undefined ? '' : `${roundSize(newest)} of ${roundSize(whole)}`}
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
            aria-label={`${name} between ${roundSize(Math.min(...known))} and ${roundSize(Math.max(...known))} of ${roundSize(whole)}`}
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

const roundSize = (bytes: number): string => formatSize(String(Math.round(bytes)))

const choices = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const satisfies readonly { value: Range; label: string }[]

/** Until there are samples, they are read more often: the first one comes from the page's own check, or the portal's. */
const everyMs = (history: History | null): number => (history && history.firstInMinutes !== null ? 10_000 : 300_000)

/** Two lines, and the same as a table. The range is in the address. */
export function HistoryLines({ serverId }: { serverId: string }) {
  const [range, choose] = useRange()
  const label = useId()
  // The strip in the header watches this read.
  useRead(dayAddress(serverId), { everyMs })
  const read = useRead(historyAddress(serverId, range), { everyMs })
  const history = read.data
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <span id={label} className="sr-only">
          Range
        </span>
        <Segments label={label} name="range" value={range} choices={choices} onChange={choose} />
      </div>
      <ReadError read={read} nothingRead="The usage of this server could not be read." />
      {history ? (
        <>
          <div className="grid tablet:grid-cols-2 gap-4">
            <HistoryChart
              name="Disk"
              history={history}
              figures={({ diskUsed, diskTotal }) => [diskUsed, diskTotal]}
              aside={formatDisk(history)}
            />
            <HistoryChart name="Memory" history={history} figures={({ memUsed, memTotal }) => [memUsed, memTotal]} aside="" />
          </div>
          <HistoryTable history={history} />
        </>
      ) : null}
    </div>
  )
}

const formatDisk = ({ fullInDays }: History): string => (fullInDays === null ? '' : `${formatFull(fullInDays)}, at the current rate`)

/** Read from the address, and written to it without a history entry. */
function useRange(): [Range, (range: Range) => void] {
  const [range, setRange] = useState<Range>(() => {
    const asked = new URLSearchParams(location.search).get('range')
    return choices.find(({ value }) => value === asked)?.value ?? '24h'
  })
  const choose = (next: Range) => {
    setRange(next)
    const address = new URL(location.href)
    if (next === '24h') address.searchParams.delete('range')
    else address.searchParams.set('range', next)
    history.replaceState(history.state, '', address)
  }
  return [range, choose]
}

const cell = 'px-3 py-1.5 whitespace-nowrap'

/** The same data as the lines and the strip, as text: newest first. */
function HistoryTable({ history }: { history: History }) {
  const format = momentFormat(history.range, useTimeZone())
  return (
    <details className="text-small">
      <summary className="w-fit cursor-pointer rounded-control text-muted hover:text-ink">Show as a table</summary>
      <p className="mt-2 text-muted">
        Missing periods were not checked, or the service didn’t respond. Gatehouse checks automatically over the team’s connections; a
        server that only a personal connection lists is checked while its owner uses Gatehouse.
      </p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        tabIndex={0}
        aria-label="Usage as a table"
        className="mt-2 max-h-80 overflow-auto rounded-sheet border border-line bg-surface"
      >
        <table className="w-full text-left">
          <thead className="sticky top-0 bg-surface text-muted">
            <tr>
              {['From', 'Reachable', 'Disk used', 'Memory used'].map((name) => (
                <th key={name} scope="col" className={`${cell} font-medium`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {history.slots.toReversed().map(({ from, checks, reachable, diskUsed, memUsed }) => (
              <tr key={from} className="border-t border-line">
                <th scope="row" className={`${cell} font-normal`}>
                  {format(from * 60_000)}
                </th>
                <td className={cell}>{reachable === checks ? 'Yes' : `${reachable} of ${checks} checks`}</td>
                <td className={cell}>{sizeOf(diskUsed)}</td>
                <td className={cell}>{sizeOf(memUsed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

const sizeOf = (bytes: number | null): string => (bytes === null ? 'Unknown' : roundSize(bytes))
