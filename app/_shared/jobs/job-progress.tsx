'use client'

import { type ReactNode, useEffect, useMemo } from 'react'
import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { Button } from '../../_ui/button'
import { Card } from '../../_ui/card'
import { useNow } from '../../_ui/clock'
import { formatDuration } from '../../_ui/duration'
import { LogView } from '../../_ui/log-view'
import { Notice } from '../../_ui/notice'
import { ProgressBar } from '../../_ui/progress-bar'
import { Section } from '../../_ui/section'
import { Waiting } from '../../_ui/skeleton'
import { StateChip } from '../../_ui/state-chip'
import { jobStates } from './job-state'
import { failingLineOf, logLinesOf, stepsOf, titleOfStep } from './job-steps'
import { formatSilence, lastOutputAt } from './silence'
import { StepList } from './step-list'
import { useJob } from './use-job'

type JobProgressProps = {
  job: JobView
  lines: readonly JobEventView[]
  /** Whether the service attaches to running work instead of starting it a second time. */
  attaches: boolean
  /** The button that stops following; shown until the job is over. */
  stop?: ReactNode
  /** Starts the same work again; shown if that makes sense. */
  tryAgain: ReactNode
  /** What to do after success. */
  next: ReactNode
}

/** A job, live: state, bar, steps, log, and what to do when it stopped. */
export function JobProgress({ job: firstJob, lines: firstLines, attaches, stop, tryAgain, next }: JobProgressProps) {
  const { job, lines, stream, recheck } = useJob(firstJob, firstLines)
  const steps = useMemo(() => stepsOf(lines, job.state, job.endedAt), [lines, job.state, job.endedAt])
  const log = useMemo(() => logLinesOf(lines), [lines])
  const state = jobStates[job.state]
  // Some services report no progress, but a completed job is at 100 %.
  const progress = job.state === 'done' ? 100 : job.progress
  useTabTitle(job)
  return (
    <div className="flex flex-col gap-5">
      <JobOutcome job={job} failingLine={failingLineOf(lines)} {...{ attaches, tryAgain, next, recheck }} />
      <Card className="flex flex-col gap-3 px-4 py-3.5">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <StateChip tone={state.tone} label={state.label} live={job.state === 'running'} />
          <span className="text-figure font-semibold tracking-[-0.01em]">{progress} %</span>
          <span className="text-muted">{job.state === 'done' ? '' : titleOfStep(job.step)}</span>
          <Elapsed job={job} />
          {job.endedAt === null ? stop : null}
        </div>
        <ProgressBar percent={progress} tone={state.bar} label={`Progress of ${job.targetName}`} />
        {job.state === 'running' ? <Silence job={job} lines={lines} /> : null}
        <p role="status" className="sr-only">
          {job.state === 'running' ? titleOfStep(job.step) : state.label}
        </p>
      </Card>
      {stream === 'waiting' ? <Notice tone="warn" title="The live connection broke. Reconnecting; the job continues." /> : null}
      <div className="grid gap-5 desktop:grid-cols-[280px_minmax(0,1fr)]">
        <Section title="Steps">
          {steps.length > 0 ? (
            <StepList steps={steps} />
          ) : (
            <Waiting description={job.endedAt === null ? 'Waiting for the server to report its first step.' : 'No steps were reported.'} />
          )}
        </Section>
        <Section
          title="Log"
          aside={<span className="text-small text-muted">{lines.length === 1 ? '1 line' : `${lines.length} lines`}</span>}
        >
          <LogView label="Lines of the log" lines={log} className="h-[min(60vh,520px)] max-tablet:h-[50vh]" />
        </Section>
      </div>
    </div>
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

type JobOutcomeProps = {
  job: JobView
  failingLine: string | null
  attaches: boolean
  tryAgain: ReactNode
  next: ReactNode
  recheck: () => void
}

function JobOutcome({ job, failingLine, attaches, tryAgain, next, recheck }: JobOutcomeProps) {
  if (job.state === 'done') return next
  if (job.state === 'running') return null
  if (job.state === 'failed') {
    const sentence = job.problem?.sentence || 'The job failed.'
    return (
      <Notice tone="danger" alert title={sentence} action={tryAgain}>
        {failingLine && !sentence.includes(failingLine) ? (
          <code className="font-mono text-code break-words whitespace-pre-wrap">{failingLine}</code>
        ) : null}
        <p className="pt-1">
          {attaches
            ? 'Retrying continues at the first unfinished step. Finished steps are kept.'
            : 'Retrying sends the request to the service again. The service decides what happens to finished steps.'}
        </p>
      </Notice>
    )
  }
  const retrying = job.endedAt === null
  const held = retrying && job.problem?.code === 'key_frozen'
  return (
    <Notice
      tone="warn"
      title={openTitles[retrying ? (held ? 'held' : 'retrying') : job.state]}
      action={
        <div className="flex flex-wrap gap-2">
          {retrying && !held ? <Button onClick={recheck}>Check again</Button> : null}
          {tryAgain}
        </div>
      }
    >
      {job.problem ? <p>{job.problem.sentence}</p> : null}
      <p>
        {held
          ? 'Gatehouse follows it again once the connection is thawed, or through another connection to the server. Nothing is started twice.'
          : attaches
            ? 'The job may still be running, and nothing was started twice. Retrying follows it if it still runs; otherwise it continues at the first unfinished step.'
            : 'The job may still be running at the service, which cannot show it to Gatehouse again. Retrying may start it a second time.'}
      </p>
    </Notice>
  )
}

const openTitles = {
  held: 'The connection is frozen.',
  retrying: 'The service is unreachable. Retrying automatically.',
  interrupted: 'Gatehouse no longer follows this job.',
  unknown: 'The outcome is unknown.',
}

/** "62 % web-fra-01" as the tab's title while it runs. */
function useTabTitle(job: JobView): void {
  const { state, progress, targetName } = job
  useEffect(() => {
    const label = state === 'running' ? `${progress} %` : jobStates[state].label
    document.title = `${label} ${targetName}`
  }, [state, progress, targetName])
}
