'use client'

import { type ReactNode, useMemo } from 'react'
import { formatDuration } from '@/app/_ui/dates'
import { ProgressBar } from '@/app/_ui/meter'
import { Card } from '@/app/_ui/section'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { useNow } from '../../_ui/clock'
import { StateChip } from '../../_ui/state-chip'
import { jobStates, titleOfStep } from './job-state'

type JobCardProps = {
  job: JobView
  lines: readonly JobEventView[]
  /** False for work whose service reports nothing before its answer. */
  reports: boolean
  /** Shown at the end of the first line. */
  action: ReactNode
  /** The page has the job's title as its heading. */
  headed?: boolean
}

/** Completed jobs are at 100 %, although some services report no progress. */
const progressOf = ({ state, progress }: JobView): number => (state === 'done' ? 100 : progress)

/** A job in a few lines: its state, progress, step and duration. */
export function JobCard({ job, lines, reports, action, headed = false }: JobCardProps) {
  const state = jobStates[job.state]
  return (
    <Card className="flex flex-col gap-3 px-4 py-3.5">
      {headed ? null : <p className="font-semibold wrap-anywhere">{job.title}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <StateChip tone={state.tone} label={state.label} live={job.state === 'running'} />
        {reports ? <span className="text-figure font-semibold tracking-[-0.01em]">{progressOf(job)} %</span> : null}
        <span className="text-muted">{job.state === 'done' ? '' : titleOfStep(job.step)}</span>
        <Elapsed job={job} />
        {action}
      </div>
      {reports ? <ProgressBar percent={progressOf(job)} tone={state.bar} label={`Progress of ${job.targetName}`} /> : null}
      {job.state !== 'running' ? null : reports ? (
        <Silence job={job} lines={lines} />
      ) : (
        <p className="text-small text-muted">The service reports no progress. It answers once it is done; you can leave this page.</p>
      )}
      <p role="status" className="sr-only">
        {job.state === 'running' ? titleOfStep(job.step) : state.label}
      </p>
    </Card>
  )
}

function Elapsed({ job }: { job: JobView }) {
  const now = useNow(1000)
  const end = job.endedAt ? Date.parse(job.endedAt) : now
  if (end === null) return null
  return <span className="ml-auto text-small text-muted">{formatDuration(end - Date.parse(job.startedAt))}</span>
}

function Silence({ job, lines }: { job: JobView; lines: readonly JobEventView[] }) {
  const now = useNow(1000)
  const since = useMemo(() => lastOutputAt(lines, job.startedAt), [lines, job.startedAt])
  const text = now === null ? null : formatSilence(now - since)
  return text === null ? null : <p className="text-small text-muted">{text}</p>
}

/** Ordinary steps pause for this long. */
const leastMs = 20_000
const inSecondsMs = 120_000

/** ms since 1970 of the last line with a message, or of the start. */
export function lastOutputAt(lines: readonly Pick<JobEventView, 'at' | 'message'>[], startedAt: string): number {
  return Date.parse(lines.findLast(({ message }) => message.trim() !== '')?.at ?? startedAt)
}

/** "No output for 70 s"; null while it is too early to say. */
export function formatSilence(ms: number): string | null {
  if (ms < leastMs) return null
  return `No output for ${ms < inSecondsMs ? `${Math.floor(ms / 1000)} s` : formatDuration(ms)}`
}
