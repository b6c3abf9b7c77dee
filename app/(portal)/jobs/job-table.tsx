'use client'

import Link from 'next/link'
import type { Outcome } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { formatJob, jobStates } from '../../_shared/jobs/job-state'
import { titleOfStep } from '../../_shared/jobs/job-steps'
import { portalRead } from '../../_shared/read-address'
import { ReadError } from '../../_shared/read-error'
import { useRead } from '../../_shared/use-read'
import { ButtonLink } from '../../_ui/button'
import { Card } from '../../_ui/card'
import { useNow } from '../../_ui/clock'
import { formatDuration } from '../../_ui/duration'
import { EmptyState } from '../../_ui/empty-state'
import { PlainTable } from '../../_ui/plain-table'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'

const columns = [
  { name: 'State', className: 'w-40 max-tablet:hidden' },
  { name: 'Job' },
  { name: 'Step', className: 'w-52 max-tablet:hidden' },
  { name: 'Started by', className: 'w-40 max-desktop:hidden' },
  { name: 'Started', className: 'w-36 max-tablet:hidden' },
  { name: 'Took', className: 'w-32 max-desktop:hidden' },
]

const cell = 'h-row px-3 py-row-gap first:pl-4 last:pr-4'

/** All jobs of the team, newest first. */
export function JobTable({ first }: { first: Outcome<JobView[]> }) {
  const read = useRead(portalRead('/api/jobs'), { first, everyMs: 5000 })
  const jobs = read.data ?? []
  return (
    <>
      <ReadError read={read} />
      <Card className="overflow-hidden">
        {jobs.length === 0 ? (
          <EmptyState title="No jobs yet" actions={<ButtonLink href="/servers">View servers</ButtonLink>}>
            <p>
              Work that takes longer than a moment, such as installing a server, is listed here with its log. You can leave it and come
              back.
            </p>
          </EmptyState>
        ) : (
          <PlainTable caption="Jobs" columns={columns}>
            <tbody className="divide-y divide-line">
              {jobs.map((job) => (
                <JobLine key={job.id} job={job} />
              ))}
            </tbody>
          </PlainTable>
        )}
      </Card>
    </>
  )
}

function JobLine({ job }: { job: JobView }) {
  const state = jobStates[job.state]
  return (
    <tr className="relative hover:bg-selected has-focus-visible:bg-selected">
      <td className={`${cell} max-tablet:hidden`}>
        <StateChip tone={state.tone} label={state.label} live={job.state === 'running'} />
      </td>
      <td className={`${cell} max-tablet:py-3`}>
        <Link
          href={`/jobs/${job.id}`}
          prefetch={false}
          className="font-semibold break-words after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          {formatJob(job)}
        </Link>
        <span className="flex items-center gap-2.5 pt-1 text-small text-muted tablet:hidden">
          <StateChip tone={state.tone} label={state.label} live={job.state === 'running'} />
          <RelativeTime at={job.startedAt} />
        </span>
      </td>
      <td className={`${cell} truncate text-muted max-tablet:hidden`}>
        {titleOfStep(job.step)}
        {job.state === 'running' ? ` (${job.progress} %)` : ''}
      </td>
      <td className={`${cell} truncate text-muted max-desktop:hidden`}>{job.startedBy || 'A former member'}</td>
      <td className={`${cell} text-small text-muted max-tablet:hidden`}>
        <RelativeTime at={job.startedAt} />
      </td>
      <td className={`${cell} text-small text-muted max-desktop:hidden`}>
        <Took job={job} />
      </td>
    </tr>
  )
}

function Took({ job }: { job: JobView }) {
  const now = useNow(1000)
  const end = job.endedAt ? Date.parse(job.endedAt) : now
  return end === null ? null : formatDuration(end - Date.parse(job.startedAt))
}
