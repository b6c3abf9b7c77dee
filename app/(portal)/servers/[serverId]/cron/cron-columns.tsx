'use client'

import { Pencil } from 'lucide-react'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { MenuItem } from '@/app/_ui/menu'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import { canBeSaved } from '@/lib/crontab/line'
import { formatTimes } from '@/lib/crontab/times'
import { type CronJob, formatWhen, runsOf } from './job'

export type CronRow = { id: string; job: CronJob }

/** Keyed by content, not by line, which may differ after each change: so an open menu stays open. */
export function cronRows(jobs: readonly CronJob[]): CronRow[] {
  const seen = new Map<string, number>()
  return jobs.map((job) => {
    const text = JSON.stringify({ ...job, line: '' })
    const before = seen.get(text) ?? 0
    seen.set(text, before + 1)
    return { id: `${text} ${before}`, job }
  })
}

const nameOf = ({ job }: CronRow): string => `${formatWhen(job).sentence}: ${job.command}`

const query = defineQuery({ columns: ['', 'command', 'account'], defaultColumn: '', facets: [], flags: {} })

export const cronCollection: CollectionKind<CronRow, typeof query.whole> = {
  noun: 'job',
  label: 'Cron jobs',
  query,
  nameOf,
  selectLabel: (row) => `Select ${nameOf(row)}`,
  selectAllLabel: 'Select all jobs',
  searched: ({ job }) => [job.command, job.user],
  sortTexts: { command: ({ job }) => job.command, account: ({ job }) => job.user },
  facets: [],
  flags: [],
  noMatch: { title: 'No matching jobs', description: '' },
}

export const cronColumns = (timeZone: string): readonly Column<CronRow>[] => [
  { id: 'runs', label: 'Runs', minWidth: 200, grows: true, main: true, cell: ({ job }) => <Schedule job={job} /> },
  {
    id: 'command',
    label: 'Command',
    minWidth: 200,
    grows: true,
    leaves: 3,
    sortable: true,
    cell: ({ job }) => <Command job={job} />,
    folded: ({ job }) => <Command job={job} />,
  },
  {
    id: 'account',
    label: 'User',
    minWidth: 112,
    leaves: 2,
    sortable: true,
    cell: ({ job }) => job.user,
    folded: ({ job }) => <span className="text-small text-muted">as {job.user}</span>,
  },
  {
    id: 'next',
    label: 'Next run',
    minWidth: 176,
    leaves: 1,
    className: 'text-muted',
    cell: ({ job }) => <NextRun job={job} timeZone={timeZone} label="" />,
    folded: ({ job }) => (
      <span className="text-small text-muted">
        <NextRun job={job} timeZone={timeZone} label="Next: " />
      </span>
    ),
  },
]

const Command = ({ job }: { job: CronJob }) => <code className="font-mono text-code whitespace-pre-wrap wrap-anywhere">{job.command}</code>

function Schedule({ job }: { job: CronJob }) {
  const { sentence, note } = formatWhen(job)
  return (
    <>
      <span className="block font-semibold wrap-anywhere">{sentence}</span>
      {note ? <span className="block text-small text-muted">{note}</span> : null}
      {sentence === formatTimes(job) ? null : (
        <code className="block font-mono text-code text-muted wrap-anywhere">{formatTimes(job)}</code>
      )}
    </>
  )
}

/** Empty if there is no time to show. */
function NextRun({ job, timeZone, label }: { job: CronJob; timeZone: string; label: string }) {
  const now = useNow(60_000)
  const { schedule } = formatWhen(job)
  if (!schedule || now === null) return null
  const [next = 'Never'] = runsOf(schedule, timeZone, now, 1)
  return `${label}${next}`
}

type CronActions = Record<'onEdit' | 'onDuplicate' | 'onDelete', (job: CronJob) => void>

/** The id of the button of a job's menu. */
export const menuIdOf = ({ line }: CronJob): string => `menu-${line}`

export const cronMenu = ({ onEdit, onDuplicate, onDelete }: CronActions): RowMenu<CronRow> => ({
  label: (row) => `Actions for ${nameOf(row)}`,
  buttonId: ({ job }) => menuIdOf(job),
  items: ({ job }) => (
    <>
      {canBeSaved(job) ? (
        <>
          <MenuItem onSelect={() => onEdit(job)}>Edit</MenuItem>
          <MenuItem onSelect={() => onDuplicate(job)}>Duplicate</MenuItem>
        </>
      ) : null}
      <MenuItem danger onSelect={() => onDelete(job)}>
        Delete
      </MenuItem>
    </>
  ),
  quick: (row) =>
    canBeSaved(row.job) ? (
      <Button variant="ghost" icon aria-label={`Edit ${nameOf(row)}`} onClick={() => onEdit(row.job)}>
        <Pencil aria-hidden size={16} strokeWidth={1.5} />
      </Button>
    ) : null,
})
