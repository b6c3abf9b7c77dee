/** What a job for a site of a sandbox server prints, and when. */
import type { SiteJobLine } from '../sites'
import type { SandboxSiteJob } from './model'
import { kinds } from './site-job-kinds'

export type TimedLine = SiteJobLine & { atMs: number }

/** All lines of a job, each with the time at which it is written. The last one ends the job. */
export function linesOf(job: SandboxSiteJob): TimedLine[] {
  const lines = plannedLines(job)
  const { cancelledAtMs } = job
  if (cancelledAtMs === null) return lines
  const written = lines.filter(({ atMs }) => atMs <= cancelledAtMs)
  const { step = '', progress = 0 } = written.at(-1) ?? {}
  const error =
    cancelledAtMs < job.startedAtMs
      ? 'The work was cancelled before it began. Nothing was changed.'
      : 'The work was cancelled. What it had done until then is taken back.'
  const last = { line: written.length + 1, step, progress, status: 'failed', message: error, error, problem: 'cancelled' } as const
  return [...written, { ...last, atMs: cancelledAtMs }]
}

function plannedLines(job: SandboxSiteJob): TimedLine[] {
  const { steps, ending, answer } = kinds[job.kind]
  const work = steps(job)
  const total = work.reduce((sum, { cost }) => sum + cost, 0)
  const lines: TimedLine[] = job.waits.map(({ atMs, text }, index) => ({
    line: index + 1,
    step: text,
    progress: 0,
    status: 'running',
    message: `${text}.`,
    atMs,
  }))
  let units = 0
  const say = (said: Omit<SiteJobLine, 'line'>) =>
    lines.push({ line: lines.length + 1, ...said, atMs: job.startedAtMs + units * job.unitMs })
  for (const { step, says, cost } of work) {
    const progress = Math.floor((100 * units) / total)
    units += cost
    if (step === job.failure?.step) {
      const { error, problem } = job.failure
      say({ step, progress, status: 'failed', message: error, error, ...(problem && { problem }) })
      return lines
    }
    say({ step, progress, status: 'running', message: says })
  }
  const answered = answer?.(job)
  const last = {
    step: work.at(-1)?.step ?? '',
    progress: 100,
    status: 'done',
    message: `${ending(job.site, job)}${job.says}`,
  } as const
  say({ ...last, ...(answered !== undefined && { answer: answered }), ...(job.aliases.length > 0 && { aliases: job.aliases }) })
  return lines
}

export const endOf = (job: SandboxSiteJob): number => linesOf(job).at(-1)?.atMs ?? 0

/** Also while it waits. */
export const isRunningAt = (job: SandboxSiteJob, nowMs: number): boolean => endOf(job) > nowMs
