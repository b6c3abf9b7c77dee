'use client'

import { clsx } from 'clsx'
import { Check, CircleDashed, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo } from 'react'
import { formatDuration } from '@/app/_ui/dates'
import type { JobEventView, JobState, JobView } from '@/lib/portal/jobs/view'
import { toReadableName } from '@/lib/text/idn'
import { Button } from '../../_ui/button'
import { useNow } from '../../_ui/clock'
import { LogView } from '../../_ui/log-view'
import { Notice } from '../../_ui/notice'
import { Section } from '../../_ui/section'
import { Waiting } from '../../_ui/skeleton'
import { JobCard } from './job-card'
import { failingLineOf, type JobStep, jobStates, logLinesOf, sayCancelled, stepsOf } from './job-state'
import { useJob } from './use-job'

type JobProgressProps = {
  job: JobView
  lines: readonly JobEventView[]
  /** Whether the service attaches to running work instead of starting it a second time. */
  attaches: boolean
  /** The buttons that stop following and cancel; shown while Gatehouse follows the job, or tries to. */
  stop?: ReactNode
  /** Starts the same work again; shown once it stopped without success. */
  tryAgain: (job: JobView) => ReactNode
  /** What to do after success. */
  next: (job: JobView) => ReactNode
  /** Default: those of an install. */
  notes?: JobNotes
  /** False for work whose service reports nothing before its answer. */
  reports?: boolean
}

/** What trying again would do, once a job has failed, or its outcome is open. */
export type JobNotes = { failed: string; open: string }

const installNotes = (attaches: boolean): JobNotes =>
  attaches
    ? {
        failed: 'Retrying continues at the first unfinished step. Finished steps are kept.',
        open: 'The job may still be running, and nothing was started twice. Retrying follows it if it still runs; otherwise it continues at the first unfinished step.',
      }
    : {
        failed: 'Retrying sends the request to the service again. The service decides what happens to finished steps.',
        open: 'The job may still be running at the service, which cannot show it to Gatehouse again. Retrying may start it a second time.',
      }

/** A job, live: state, bar, steps, log, and what to do when it stopped. */
export function JobProgress(props: JobProgressProps) {
  const { job: firstJob, lines: firstLines, attaches, stop, tryAgain, next, notes = installNotes(attaches) } = props
  const { job, lines, stream, recheck } = useJob(firstJob, firstLines)
  // A service may report more than expected.
  const reports = props.reports !== false || lines.length > 0
  useTabTitle(job, reports)
  return (
    <div className="flex flex-col gap-5">
      <JobOutcome job={job} failingLine={failingLineOf(lines)} notes={notes} tryAgain={tryAgain(job)} next={next} recheck={recheck} />
      <JobCard job={job} lines={lines} reports={reports} action={job.endedAt === null && !heldOf(job) ? stop : null} headed />
      {stream === 'waiting' && job.problem?.code !== 'no_connection' ? (
        <Notice tone="warn" title="The live connection broke. Reconnecting; the job continues." />
      ) : null}
      {reports ? <Output job={job} lines={lines} /> : null}
    </div>
  )
}

function Output({ job, lines }: { job: JobView; lines: readonly JobEventView[] }) {
  const steps = useMemo(() => stepsOf(lines, job.state, job.endedAt), [lines, job.state, job.endedAt])
  const log = useMemo(() => logLinesOf(withoutCancellation(lines, job.state)), [lines, job.state])
  return (
    <div className="grid gap-5 desktop:grid-cols-[280px_minmax(0,1fr)]">
      <Section title="Steps">
        {steps.length > 0 ? (
          <StepList steps={steps} />
        ) : (
          <Waiting description={job.endedAt === null ? 'Waiting for the server to report its first step.' : 'No steps were reported.'} />
        )}
      </Section>
      <Section title="Log" aside={<span className="text-small text-muted">{lines.length === 1 ? '1 line' : `${lines.length} lines`}</span>}>
        <LogView label="Lines of the log" lines={log} className="max-h-[min(60vh,520px)] min-h-32 max-tablet:max-h-[50vh]" />
      </Section>
    </div>
  )
}

type JobOutcomeProps = {
  job: JobView
  failingLine: string | null
  notes: JobNotes
  tryAgain: ReactNode
  next: (job: JobView) => ReactNode
  recheck: () => void
}

function JobOutcome({ job, failingLine, notes, tryAgain, next, recheck }: JobOutcomeProps) {
  if (job.state === 'done') return next(job)
  if (job.state === 'running') return null
  if (job.state === 'failed') {
    const sentence = job.problem?.sentence || 'The job failed.'
    return (
      <Notice tone="danger" alert title={sentence} action={tryAgain}>
        {failingLine && !sentence.includes(failingLine) ? (
          <code className="font-mono text-code break-words whitespace-pre-wrap">{failingLine}</code>
        ) : null}
        <p className="pt-1">{notes.failed}</p>
      </Notice>
    )
  }
  if (job.state === 'cancelled') return <Cancelled job={job} tryAgain={tryAgain} />
  const retrying = job.endedAt === null
  const held = heldOf(job)
  return (
    <Notice
      tone="warn"
      title={held?.title ?? openTitles[retrying ? 'retrying' : job.state]}
      action={
        <div className="flex flex-wrap gap-2">
          {retrying && !held ? <Button onClick={recheck}>Check again</Button> : null}
          {tryAgain}
        </div>
      }
    >
      {job.problem ? <p>{job.problem.sentence}</p> : null}
      <p>{held ? `Gatehouse follows it again once ${held.until}. Nothing is started twice.` : notes.open}</p>
    </Notice>
  )
}

const Cancelled = ({ job, tryAgain }: { job: JobView; tryAgain: ReactNode }) => (
  <Notice tone="warn" title={sayCancelled(job)} action={tryAgain}>
    {job.problem?.sentence ? <p>{job.problem.sentence}</p> : null}
  </Notice>
)

/** Why Gatehouse itself does not follow a job that continues, by the code of its problem. */
const heldBy: Readonly<Record<string, { title: string; until: string }>> = {
  key_frozen: { title: 'The connection is frozen.', until: 'the connection is thawed, or through another connection to the server' },
  no_connection: { title: 'No connection can be used for this job.', until: 'a connection to the server can be used for it' },
}

const heldOf = ({ state, endedAt, problem }: JobView) =>
  state === 'interrupted' && endedAt === null ? heldBy[problem?.code ?? ''] : undefined

const openTitles = {
  retrying: 'The service is unreachable. Retrying automatically.',
  interrupted: 'Gatehouse no longer follows this job.',
  unknown: 'The outcome is unknown.',
}

/** "62 % web-fra-01" as the tab's title while it runs. */
function useTabTitle(job: JobView, reports: boolean): void {
  const { state, progress, targetName } = job
  useEffect(() => {
    const label = state === 'running' && reports ? `${progress} %` : jobStates[state].label
    document.title = `${label} ${toReadableName(targetName)}`
  }, [state, progress, targetName, reports])
}

/** A service ends a cancelled job with a line that failed; a member wanted it, so it is no error. */
export function withoutCancellation(lines: readonly JobEventView[], state: JobState): readonly JobEventView[] {
  const last = lines.at(-1)
  return state === 'cancelled' && last?.status === 'failed' ? [...lines.slice(0, -1), { ...last, status: '' }] : lines
}

const words = { done: 'done', running: 'under way', failed: 'failed', stopped: 'stopped here' }

/** Named steps with their state and duration. */
function StepList({ steps }: { steps: readonly JobStep[] }) {
  const now = useNow(1000)
  return (
    <ol className="flex flex-col">
      {steps.map((step) => {
        const end = step.endedAt ? Date.parse(step.endedAt) : now
        return (
          <li
            key={`${step.name} ${step.startedAt}`}
            className="flex min-h-8 items-center gap-2.5"
            aria-current={step.state === 'running' ? 'step' : undefined}
          >
            <StepMark state={step.state} />
            <span className={clsx('min-w-0 flex-1', step.state !== 'done' && 'font-semibold', step.state === 'failed' && 'text-danger')}>
              {step.title}
              <span className="sr-only">, {words[step.state]}</span>
            </span>
            <span className="text-small whitespace-nowrap text-muted">
              {end === null ? '' : formatDuration(end - Date.parse(step.startedAt))}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function StepMark({ state }: { state: JobStep['state'] }) {
  const mark = { 'aria-hidden': true, size: 16, strokeWidth: 1.5, className: 'shrink-0' } as const
  if (state === 'done') return <Check {...mark} className="shrink-0 text-muted" />
  if (state === 'failed') return <X {...mark} className="shrink-0 text-danger" />
  if (state === 'stopped') return <CircleDashed {...mark} className="shrink-0 text-warn" />
  return (
    <span aria-hidden className="flex size-4 shrink-0 items-center justify-center">
      <span className="size-2 animate-pulse-dot rounded-chip bg-accent" />
    </span>
  )
}
