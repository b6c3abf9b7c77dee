'use client'

import { useNow } from '@/app/_ui/clock'
import { timesRefusals } from '@/lib/crontab/schedule'
import type { Times } from '@/lib/crontab/times'
import { formatWhen, formatZone, runsOf } from './schedule-words'

/** How many runs are shown. */
const runsShown = 5

/** The schedule in words, with its next runs. */
export function SchedulePreview({ times, timeZone }: { times: Times; timeZone: string }) {
  const now = useNow(60_000)
  const [fault] = Object.values(timesRefusals(times))
  const { sentence, note, schedule } = formatWhen(times)
  const runs = schedule && now !== null ? runsOf(schedule, timeZone, now, runsShown) : []
  return (
    <div className="rounded-control bg-sunken px-3 py-2.5 text-small">
      <p role="status" className="font-semibold">
        {fault ?? sentence}
      </p>
      {fault || !note ? null : <p className="text-warn">{note}</p>}
      {fault || !schedule || now === null ? null : runs.length === 0 ? (
        <p className="text-warn">This date does not exist, so the job would never run.</p>
      ) : (
        <>
          <p className="pt-1.5 text-muted">Next runs, {formatZone(timeZone)}:</p>
          <ol className="grid grid-cols-2 gap-x-4">
            {runs.map((run) => (
              <li key={run}>{run}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
