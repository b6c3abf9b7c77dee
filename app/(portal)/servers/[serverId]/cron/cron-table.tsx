'use client'

import { Ellipsis, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { canBeSaved } from '@/lib/crontab/line'
import { sayTimes } from '@/lib/crontab/times'
import { Button } from '../../../../_ui/button'
import { useNow } from '../../../../_ui/clock'
import { Menu, MenuItem } from '../../../../_ui/menu'
import { Sheet } from '../../../../_ui/sheet'
import type { CronJob } from './job'
import { runsOf, sayWhen } from './schedule-words'

const head = 'h-9 px-3 text-left text-small font-medium text-muted first:pl-4 last:pr-4'
const cell = 'px-3 py-2.5 align-top first:pl-4 last:pr-4'

/** Where the menu's button of a job is found. */
export const menuIdOf = ({ line }: CronJob): string => `menu-${line}`

type CronTableProps = {
  jobs: readonly CronJob[]
  timeZone: string
  mayChange: boolean
  onEdit: (job: CronJob) => void
  onDuplicate: (job: CronJob) => void
  onDelete: (job: CronJob) => void
}

/** One row per job, in the order of the crontabs; on a phone the columns fold under the sentence. */
export function CronTable({ jobs, ...row }: CronTableProps) {
  return (
    <Sheet className="overflow-hidden">
      <table className="w-full border-collapse tablet:table-fixed">
        <caption className="sr-only">Cron jobs</caption>
        <thead className="border-b border-line max-tablet:sr-only">
          <tr>
            <Head className="w-[34%]">Runs</Head>
            <Head className="max-tablet:hidden">Command</Head>
            <Head className="w-28 max-tablet:hidden">Account</Head>
            <Head className="w-44 max-desktop:hidden">Next run</Head>
            {row.mayChange ? (
              <Head className="w-24">
                <span className="sr-only">Actions</span>
              </Head>
            ) : null}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {withKeys(jobs).map(({ key, job }) => (
            <Row key={key} job={job} {...row} />
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}

/** By what a job says, not by its line: that may be another one after each change, and a menu that is open stays open. */
function withKeys(jobs: readonly CronJob[]): { key: string; job: CronJob }[] {
  const seen = new Map<string, number>()
  return jobs.map((job) => {
    const says = JSON.stringify({ ...job, line: '' })
    const before = seen.get(says) ?? 0
    seen.set(says, before + 1)
    return { key: `${says} ${before}`, job }
  })
}

const Head = ({ className = '', children }: { className?: string; children: ReactNode }) => (
  <th scope="col" className={`${head} ${className}`}>
    {children}
  </th>
)

function Row({ job, timeZone, mayChange, onEdit, onDuplicate, onDelete }: Omit<CronTableProps, 'jobs'> & { job: CronJob }) {
  const { sentence, note, schedule } = sayWhen(job)
  const now = useNow(60_000)
  const [next] = schedule && now !== null ? runsOf(schedule, timeZone, now, 1) : []
  const coming = next ?? (schedule && now !== null ? 'Never' : '')
  const command = <code className="font-mono text-code whitespace-pre-wrap wrap-anywhere">{job.command}</code>
  return (
    <tr>
      <td className={cell}>
        <span className="block font-semibold wrap-anywhere">{sentence}</span>
        {note ? <span className="block text-small text-muted">{note}</span> : null}
        {sentence === sayTimes(job) ? null : <code className="block font-mono text-code text-muted wrap-anywhere">{sayTimes(job)}</code>}
        <span className="flex flex-col items-start gap-1 pt-1.5 tablet:hidden">
          {command}
          <span className="text-small text-muted">as {job.user}</span>
        </span>
        {coming ? <span className="block pt-1 text-small text-muted desktop:hidden">Next: {coming}</span> : null}
      </td>
      <td className={`${cell} max-tablet:hidden`}>{command}</td>
      <td className={`${cell} wrap-anywhere max-tablet:hidden`}>{job.user}</td>
      <td className={`${cell} text-muted max-desktop:hidden`}>{coming}</td>
      {mayChange ? (
        <td className={`${cell} text-right whitespace-nowrap`}>
          {canBeSaved(job) ? (
            <Button
              look="ghost"
              icon
              className="-my-1 max-tablet:hidden"
              aria-label={`Edit ${sentence}: ${job.command}`}
              onClick={() => onEdit(job)}
            >
              <Pencil aria-hidden size={16} strokeWidth={1.5} />
            </Button>
          ) : null}
          <Menu
            trigger={
              <Button id={menuIdOf(job)} look="ghost" icon className="-my-1" aria-label={`Actions for ${sentence}: ${job.command}`}>
                <Ellipsis aria-hidden size={16} strokeWidth={1.5} />
              </Button>
            }
          >
            {canBeSaved(job) ? (
              <>
                <MenuItem onSelect={() => onEdit(job)}>Edit</MenuItem>
                <MenuItem onSelect={() => onDuplicate(job)}>Duplicate</MenuItem>
              </>
            ) : null}
            <MenuItem danger onSelect={() => onDelete(job)}>
              Delete
            </MenuItem>
          </Menu>
        </td>
      ) : null}
    </tr>
  )
}
