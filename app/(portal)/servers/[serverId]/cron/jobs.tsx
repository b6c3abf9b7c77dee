'use client'

import cronstrue from 'cronstrue'
import { Pencil } from 'lucide-react'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { MenuItem } from '@/app/_ui/menu'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import { timeFormat } from '@/app/_ui/time-in-zone'
import type { Answer } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import { canBeSaved } from '@/lib/crontab/line'
import { nextRuns } from '@/lib/crontab/next-runs'
import { parseSchedule, readByCron, type Schedule } from '@/lib/crontab/schedule'
import { formatTimes, nicknames, type Times, timeNames } from '@/lib/crontab/times'

type FormattedTimes = {
  /** "Every day at 04:30"; the fields as they are if they are not understood. */
  sentence: string
  /** A common mistake with such a schedule; empty if there is none. */
  note: string
  /** Null if there are no runs to show. */
  schedule: Schedule | null
}

/** A schedule in words. */
export function formatWhen(times: Times): FormattedTimes {
  if (times.minute === '@reboot') return { sentence: 'When the server starts', note: '', schedule: null }
  const schedule = parseSchedule(times)
  const known = Object.hasOwn(nicknames, times.minute) ? nicknames[times.minute] : null
  const fields = known ?? times
  if (!schedule) return { sentence: formatTimes(times), note: '', schedule }
  return { sentence: formatFields(fields, schedule), note: noteOn(fields, schedule), schedule }
}

function formatFields(fields: Times, { eitherDay }: Schedule): string {
  const said = cronstrue.toString(timeNames.map((name) => readByCron(fields[name])).join(' '), {
    use24HourTimeFormat: true,
    logicalAndDayFields: !eitherDay,
  })
  const everyDay = fields.dom === '*' && fields.mon === '*' && fields.dow === '*'
  return everyDay && said.startsWith('At ') && !said.includes('past the hour') ? `Every day at ${said.slice(3)}` : said
}

function noteOn(fields: Times, { eitherDay }: Schedule): string {
  const random = timeNames.map((name) => fields[name]).find((field) => readByCron(field) !== field)
  if (random !== undefined) return `Debian’s cron has no random times: it takes ${readByCron(random)} for ${random}.`
  const { dom, dow } = fields
  if (eitherDay) return 'Day and weekday are both set: the job runs on every day that matches either of them.'
  const both = dom !== '*' && dow !== '*'
  return both ? 'Day and weekday are both set and one begins with *: the job runs only on days that match both.' : ''
}

/** Whether the browser knows the zone by that name. */
function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone }).format(0) !== ''
  } catch {
    return false
  }
}

/** `timeZone` as the server reports it; without one, its wall clock is treated as UTC and no zone is named. */
export function runsOf(schedule: Schedule, timeZone: string, nowMs: number, count: number): string[] {
  const zone = timeZone !== '' && isZone(timeZone) ? timeZone : 'UTC'
  const format = timeFormat(zone, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const year = new Intl.DateTimeFormat('en-GB', { timeZone: zone, year: 'numeric' })
  const thisYear = year.format(nowMs)
  return nextRuns(schedule, zone, nowMs, count).map((moment) => {
    const then = year.format(moment)
    return then === thisYear ? format(moment) : `${format(moment)} (${then})`
  })
}

export const formatZone = (timeZone: string): string => (timeZone !== '' && isZone(timeZone) ? timeZone : 'the server’s own clock')

export type CronAnswer = Answer<typeof cron.list>
export type CronJob = CronAnswer['cronjobs'][number]

/** The fields of the form. */
export type JobFields = Omit<CronJob, 'line'>

/** What is being edited: a new job, perhaps a copy of another one, or the replacement of a job. */
export type Editing = { begunAs: CronJob | null; replaces: CronJob | null }

export const sameJob = (one: JobFields, other: JobFields): boolean =>
  one.user === other.user && one.command === other.command && formatTimes(one) === formatTimes(other)

/** The fields of the job to be replaced, by the names that the action reads. */
export const oldFields = (job: CronJob): Record<string, string> =>
  Object.fromEntries(Object.entries(job).map(([name, value]) => [`old.${name}`, value]))

/** A system user that can have jobs. domain: of its site; empty for the users of people. */
export type Account = { user: string; domain: string }

type Known = {
  /** The system users of the server; empty while they are unknown. */
  listed: readonly { name: string }[]
  siteUsers: NonNullable<CronAnswer['site_users']>
  jobs: readonly { user: string }[]
}

/** Every system user that can have jobs, root first, then those of people, then those of sites; each once. */
export function accountsFor({ listed, siteUsers, jobs }: Known): Account[] {
  const ofSites = new Map(siteUsers.map(({ user, domain }) => [user, domain]))
  const plain = ['root', ...listed.map(({ name }) => name), ...jobs.map(({ user }) => user)].filter((user) => !ofSites.has(user))
  return [...[...new Set(plain)].map((user) => ({ user, domain: '' })), ...[...ofSites].map(([user, domain]) => ({ user, domain }))]
}

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
  { id: 'runs', label: 'Runs', minWidth: 200, grows: true, main: true, cell: ({ job }) => <Runs job={job} /> },
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

function Runs({ job }: { job: CronJob }) {
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
