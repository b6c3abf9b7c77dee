'use client'

import { useMemo, useState } from 'react'
import { formatDuration } from '@/app/_ui/dates'
import { Card } from '@/app/_ui/section'
import type { Outcome } from '@/lib/contract/problem'
import type { BatchSummary } from '@/lib/portal/batches/view'
import type { JobView } from '@/lib/portal/jobs/view'
import { BatchRows } from '../../_shared/batches/batch-summary'
import { jobStates, jobTitleFormat, titleOfStep } from '../../_shared/jobs/job-state'
import { portalRead } from '../../_shared/reads/read-address'
import { ReadError } from '../../_shared/reads/read-error'
import { useRead } from '../../_shared/reads/use-read'
import { ButtonLink } from '../../_ui/button'
import { useDrawnNow, useNow, useTimeZone } from '../../_ui/clock'
import { EmptyState } from '../../_ui/empty-state'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'
import type { Column } from '../../_ui/table/column'
import { Table } from '../../_ui/table/table'

/** The team's newest batches, updated live. */
export function BatchList({ first }: { first: BatchSummary[] }) {
  const read = useRead(portalRead('/api/batches'), { first: { ok: true, data: first }, everyMs: 5000 })
  return <BatchRows title="Several at once" batches={read.data ?? first} />
}

/** titleOf: what a job did and when. */
const columnsOf = (titleOf: (job: JobView) => string): readonly Column<JobView>[] => [
  {
    id: 'state',
    label: 'State',
    minWidth: 136,
    leaves: 5,
    cell: (job) => <State job={job} />,
    folded: (job) => <State job={job} />,
  },
  { id: 'job', label: 'Job', minWidth: 240, grows: true, main: true, cell: titleOf },
  {
    id: 'step',
    label: 'Step',
    minWidth: 176,
    leaves: 3,
    className: 'text-muted',
    cell: ({ step, state, progress }) => `${titleOfStep(step)}${state === 'running' ? ` (${progress} %)` : ''}`,
  },
  {
    id: 'person',
    label: 'Started by',
    minWidth: 144,
    leaves: 1,
    className: 'text-muted',
    cell: ({ startedBy }) => startedBy || 'A former member',
  },
  {
    id: 'started',
    label: 'Started',
    minWidth: 136,
    leaves: 4,
    className: 'text-small text-muted',
    cell: ({ startedAt }) => <RelativeTime at={startedAt} />,
    folded: ({ startedAt }) => (
      <span className="text-small text-muted">
        <RelativeTime at={startedAt} />
      </span>
    ),
  },
  { id: 'took', label: 'Took', minWidth: 104, leaves: 2, className: 'text-small text-muted', cell: (job) => <Took job={job} /> },
]

const hrefOf = ({ id }: JobView): string => `/jobs/${id}`

/** titles: of the first jobs, by their ids. query: of the read, as the filter has it. */
type JobTableProps = {
  first: Outcome<JobView[]>
  titles: Readonly<Record<string, string>>
  query: NonNullable<Parameters<typeof portalRead<'/api/jobs'>>[1]>
  narrowed: boolean
}

/** As many as one read answers. */
const most = 200

/** The jobs of the team that match, newest first. */
export function JobTable({ first, titles, query, narrowed }: JobTableProps) {
  const read = useRead(portalRead('/api/jobs', query), { first, everyMs: 5000 })
  const jobs = read.data ?? []
  const columns = useColumns(titles)
  return (
    <>
      <ReadError read={read} />
      {jobs.length === 0 && narrowed ? (
        <Card>
          <EmptyState title="No matches" actions={<ButtonLink href="/jobs">Show all jobs</ButtonLink>}>
            <p>No job matches this filter.</p>
          </EmptyState>
        </Card>
      ) : jobs.length === 0 ? (
        <Card>
          <EmptyState title="No jobs yet" actions={<ButtonLink href="/servers">View servers</ButtonLink>}>
            <p>
              Work that takes longer than a moment, such as installing a server, is listed here with its log. You can leave it and come
              back.
            </p>
          </EmptyState>
        </Card>
      ) : (
        <Table label="Jobs" columns={columns} rows={jobs} href={hrefOf} />
      )}
      {jobs.length >= most ? <p className="text-small text-muted">The newest {most} are shown. Filter by time to see older ones.</p> : null}
    </>
  )
}

/** Within the first hour, the jobs that the server knew have its titles: the first formatter of a page takes long to make. */
function useColumns(titles: Readonly<Record<string, string>>): readonly Column<JobView>[] {
  const [timeZone, now] = [useTimeZone(), useDrawnNow(3_600_000)]
  const [drawnAt] = useState(now)
  return useMemo(() => {
    const [known, reading] = [now === drawnAt ? titles : {}, { timeZone, now }]
    let titleOf: ReturnType<typeof jobTitleFormat> | undefined
    return columnsOf((job) => {
      const title = known[job.id]
      if (title !== undefined) return title
      titleOf ??= jobTitleFormat(reading)
      return titleOf(job)
    })
  }, [titles, timeZone, now, drawnAt])
}

function State({ job: { state } }: { job: JobView }) {
  const { tone, label } = jobStates[state]
  return <StateChip tone={tone} label={label} live={state === 'running'} />
}

function Took({ job }: { job: JobView }) {
  const now = useNow(1000)
  if (job.isEvent) return null
  const end = job.endedAt ? Date.parse(job.endedAt) : now
  return end === null ? null : formatDuration(end - Date.parse(job.startedAt))
}
