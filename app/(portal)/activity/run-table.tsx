import { resultTones } from '@/app/_shared/activity/last-changes'
import type { ActivityEntry } from '@/lib/portal/views/activity/activity'
import { results } from '@/lib/portal/views/activity/words'
import { weekdayFormat } from '../../_ui/dates'
import { Link } from '../../_ui/page-link'
import { PlainTable } from '../../_ui/plain-table'
import { StateChip } from '../../_ui/state-chip'
import { formatExact, formatMoment, timeFormat } from '../../_ui/time-in-zone'
import { UndoControl } from './undo-control'

const columns = [
  { name: 'Time', className: 'w-24 max-tablet:hidden' },
  { name: 'Actor', className: 'w-40 max-wide:hidden' },
  { name: 'Action' },
  { name: 'Outcome', className: 'w-64 max-tablet:hidden' },
  { name: 'Connection', className: 'w-44 max-wide:hidden' },
]

const cell = 'px-3 py-row-gap align-top first:pl-4 last:pr-4'

/** Runs under the day they began on, newest first, one row each. */
export function RunTable({ entries, zone }: { entries: readonly ActivityEntry[]; zone: string }) {
  return (
    <PlainTable caption="Activity" columns={columns}>
      {groupByDay(entries, zone).map(({ day, runs }) => (
        <tbody key={day} className="divide-y divide-line border-b border-line last:border-b-0">
          <DayLine day={day} />
          {runs.map((run) => (
            <RunLine key={run.seq} run={run} zone={zone} />
          ))}
        </tbody>
      ))}
    </PlainTable>
  )
}

/** One cell per column and no colspan, because columns are hidden on small screens; the text overflows into the empty cells. */
function DayLine({ day }: { day: string }) {
  return (
    <tr className="bg-sunken">
      <th scope="rowgroup" className="px-4 py-1.5 text-left text-small font-semibold whitespace-nowrap">
        {day}
      </th>
      <td className="max-wide:hidden" />
      <td className="max-tablet:hidden" />
      <td className="max-tablet:hidden" />
      <td className="max-wide:hidden" />
    </tr>
  )
}

function RunLine({ run, zone }: { run: ActivityEntry; zone: string }) {
  const outcome = <Outcome run={run} zone={zone} />
  const time = <TimeOfDay at={run.at} zone={zone} />
  return (
    <tr>
      <td className={`${cell} text-small text-muted max-tablet:hidden`}>{time}</td>
      <td className={`${cell} break-words max-wide:hidden`}>{run.who}</td>
      <td className={cell}>
        <span className="block font-semibold break-words">
          {run.description}
          {run.target && !isNamed(run.target, run.description) ? (
            <>
              <span className="font-normal text-muted">: </span>
              <Target target={run.target} />
            </>
          ) : null}
        </span>
        <span className="block text-small break-words text-muted wide:hidden">
          <span className="tablet:hidden">{time} · </span>
          {run.who}
          {run.through ? (
            <>
              {' · via '}
              <Through through={run.through} />
            </>
          ) : null}
        </span>
        {run.undoes ? (
          <span className="block text-small break-words text-muted">
            Undo of “{run.undoes.description}” of {formatMoment(run.undoes.at, zone)}
          </span>
        ) : null}
        {run.peer ? <span className="block text-small break-all text-muted">from {run.peer}</span> : null}
        <span className="block pt-1 tablet:hidden">{outcome}</span>
      </td>
      <td className={`${cell} max-tablet:hidden`}>{outcome}</td>
      <td className={`${cell} break-words text-muted max-wide:hidden`}>{run.through ? <Through through={run.through} /> : null}</td>
    </tr>
  )
}

function TimeOfDay({ at, zone }: { at: string; zone: string }) {
  return (
    <time dateTime={at} title={formatExact(at, zone)}>
      {timeFormat(zone, { timeStyle: 'medium' })(Date.parse(at))}
    </time>
  )
}

/** Whether the sentence names the target already; a link is shown in any case. */
const isNamed = ({ name, href }: NonNullable<ActivityEntry['target']>, description: string): boolean =>
  href === null && ` ${description} `.includes(` ${name} `)

function Target({ target: { name, href } }: { target: NonNullable<ActivityEntry['target']> }) {
  if (href === null) return <span className="break-words">{name}</span>
  return (
    <Link href={href} className="text-accent underline hover:text-accent-hover">
      {name}
    </Link>
  )
}

/** A link to what else was done through the connection. */
const Through = ({ through: { name, href } }: { through: NonNullable<ActivityEntry['through']> }) => (
  <Link href={href} className="hover:text-ink hover:underline">
    {name}
  </Link>
)

function Outcome({ run, zone }: { run: ActivityEntry; zone: string }) {
  const { undo, undone } = run.mark ?? { undo: null, undone: null }
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 *:max-w-full">
      <StateChip tone={resultTones[run.result]} label={results[run.result]} />
      {run.reason ? <span className="w-full text-small break-words text-muted">{run.reason}</span> : null}
      {run.jobId ? (
        <Link href={`/jobs/${run.jobId}`} className="text-small text-accent underline hover:text-accent-hover">
          Log
        </Link>
      ) : null}
      {run.mark ? (
        <UndoControl undo={undo} name={[run.description, run.target?.name, formatMoment(run.at, zone)].filter(Boolean).join(', ')}>
          {undone ? `Undone by ${undone.by}, ${formatMoment(undone.at, zone)}` : null}
        </UndoControl>
      ) : null}
    </span>
  )
}

/** Days in the reader's time zone. */
function groupByDay(entries: readonly ActivityEntry[], timeZone: string): { day: string; runs: ActivityEntry[] }[] {
  const formatDay = weekdayFormat(timeZone)
  const days: { day: string; runs: ActivityEntry[] }[] = []
  for (const run of entries) {
    const day = formatDay(Date.parse(run.at))
    const last = days.at(-1)
    if (last?.day === day) last.runs.push(run)
    else days.push({ day, runs: [run] })
  }
  return days
}
