'use client'

import { ProgressBar } from '@/app/_ui/meter'
import { Card, Section } from '@/app/_ui/section'
import type { JobView } from '@/lib/portal/jobs/view'
import type { RecentWork } from '@/lib/portal/views/home/home'
import { stateOfBatch } from '../../_shared/batches/batch-summary'
import { jobStates, titleOfStep } from '../../_shared/jobs/job-state'
import { Link } from '../../_ui/page-link'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip, type Tone } from '../../_ui/state-chip'

const link =
  'font-semibold break-words after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus'
const row = 'relative px-4 py-3 hover:bg-selected has-focus-visible:bg-selected'

/** Running jobs, updated live. */
export function RunningJobs({ jobs }: { jobs: readonly JobView[] }) {
  if (jobs.length === 0) return null
  return (
    <Section title="Running" aside={<span className="text-small text-muted">{jobs.length}</span>}>
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">
          {jobs.map((job) => (
            <li key={job.id} className={`${row} flex flex-col gap-2`}>
              <div className="flex flex-wrap items-baseline gap-x-4">
                <Link href={`/jobs/${job.id}`} className={link}>
                  {job.title}
                </Link>
                <span className="text-small text-muted">{titleOfStep(job.step)}</span>
                <span className="ml-auto text-small text-muted">{job.progress} %</span>
              </div>
              <ProgressBar percent={job.progress} label={`Progress of ${job.targetName}`} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

/** Jobs and batches that ended recently, well or not. */
export function RecentJobs({ works }: { works: readonly RecentWork[] }) {
  if (works.length === 0) return null
  return (
    <Section
      title="Recent jobs"
      aside={
        <Link href="/jobs" className="inline-flex min-h-6 items-center text-small text-accent hover:underline">
          All jobs
        </Link>
      }
    >
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">{works.map(lineOf)}</ul>
      </Card>
    </Section>
  )
}

const lineOf = (work: RecentWork) =>
  'job' in work ? (
    <Line key={work.job.id} {...work.job} state={jobStates[work.job.state]} href={`/jobs/${work.job.id}`} />
  ) : (
    <Line key={work.batch.id} {...work.batch} state={stateOfBatch(work.batch)} href={`/jobs/batches/${work.batch.id}`} />
  )

type LineProps = Pick<JobView, 'title' | 'startedBy' | 'startedAt' | 'endedAt'> & { state: { tone: Tone; label: string }; href: string }

const Line = ({ title, startedBy, startedAt, endedAt, state: { tone, label }, href }: LineProps) => (
  <li className={`${row} flex flex-wrap items-center gap-x-4 gap-y-1`}>
    <span className="max-tablet:basis-full tablet:w-28">
      <StateChip tone={tone} label={label} />
    </span>
    <span className="min-w-0 flex-1 basis-40">
      <Link href={href} className={link}>
        {title}
      </Link>
    </span>
    <span className="text-small text-muted">
      {startedBy || 'A former member'}, <RelativeTime at={endedAt ?? startedAt} />
    </span>
  </li>
)
