'use client'

import { useId, useState } from 'react'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useRead } from '@/app/_shared/reads/use-read'
import { Segments } from '@/app/_ui/segments'
import type { History, Range } from '@/lib/portal/views/history/read'
import { dayAddress, historyAddress } from './history-address'
import { HistoryChart } from './history-chart'
import { HistoryTable } from './history-table'
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
