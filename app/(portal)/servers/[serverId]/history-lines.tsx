'use client'

import { useId, useState } from 'react'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useRead } from '@/app/_shared/reads/use-read'
import { Segments } from '@/app/_ui/segments'
import { formatSize } from '@/app/_ui/size'
import { useTimeZone } from '@/app/_ui/time-zone'
import type { History, Range } from '@/lib/portal/views/history/read'
import { HistoryChart } from './history-chart'
import { momentFormat } from './history-times'
import { dayAddress, historyAddress } from './pulse'
import { formatFull } from './summary'

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

const sizeOf = (bytes: number | null): string => (bytes === null ? 'Unknown' : formatSize(String(Math.round(bytes))))
