import type { BarTone } from '@/app/_ui/meter'
import { leftOutStatus } from '@/lib/contract/kept-lines'
import type { JobEventView, JobState, JobView } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { dayTimeFormat } from '../../_ui/day-time'
import type { LogLine } from '../../_ui/log-view'
import type { Tone } from '../../_ui/state-chip'

// Jobs are titled by what they do and when they began, because the same work is done on the same target again: "Back up a.example, today 02:14".

type TitledJob = { title: string; startedAt: string }

/** A function for many jobs. now: ms since 1970. */
export function jobTitleFormat(reading: { timeZone: string; now: number }): (job: TitledJob) => string {
  const format = dayTimeFormat(reading)
  return ({ title, startedAt }) => `${title}, ${format(Date.parse(startedAt)).replace(/^(Today|Yesterday)\b/, (day) => day.toLowerCase())}`
}

/** Label and look of each job state. */
export const jobStates: Record<JobState, { label: string; tone: Tone; bar: BarTone }> = {
  running: { label: 'Running', tone: 'accent', bar: 'accent' },
  done: { label: 'Done', tone: 'done', bar: 'done' },
  failed: { label: 'Failed', tone: 'danger', bar: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral', bar: 'warn' },
  interrupted: { label: 'Interrupted', tone: 'warn', bar: 'warn' },
  unknown: { label: 'Outcome unknown', tone: 'warn', bar: 'warn' },
}

/** Others than members may cancel it, too, by the service. */
export const sayCancelled = ({ cancelledBy }: JobView): string =>
  cancelledBy === '' ? 'The job was cancelled.' : `Cancelled by ${cancelledBy}.`

export type JobStep = {
  name: string
  title: string
  state: 'done' | 'running' | 'failed' | 'stopped'
  startedAt: string
  endedAt: string | null
}

/** "web-server" → "Web server". A step may also be words, or the domain of a site. */
export function titleOfStep(name: string): string {
  if (/^[^\s.]+(\.[^\s.]+)+$/.test(name)) return toReadableDomain(name)
  const words = (name.includes(' ') ? name : name.replace(/[-_]+/g, ' ')).trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The named steps of a job in the order they came; each begins at its first line. */
export function stepsOf(lines: readonly JobEventView[], jobState: JobState, endedAt: string | null): JobStep[] {
  const steps: JobStep[] = []
  for (const line of lines) {
    const last = steps.at(-1)
    if (line.step === '' || line.step === last?.name) continue
    if (last) Object.assign(last, { state: 'done', endedAt: line.at })
    steps.push({ name: line.step, title: titleOfStep(line.step), state: 'running', startedAt: line.at, endedAt: null })
  }
  const last = steps.at(-1)
  if (last && jobState !== 'running') {
    last.state = jobState === 'done' ? 'done' : jobState === 'failed' ? 'failed' : 'stopped'
    last.endedAt = endedAt
  }
  return steps
}

/** Lines as the log shows them: with a heading where a step begins, without mere heartbeats and lines that only repeat the heading. */
export function logLinesOf(lines: readonly JobEventView[]): LogLine[] {
  const shown: LogLine[] = []
  let step = ''
  for (const line of lines) {
    const text = stripControls(line.message)
    if (line.step !== '' && line.step !== step) {
      step = line.step
      shown.push({ number: null, text: titleOfStep(step), tone: 'step' })
      if (text === titleOfStep(step) && line.status === 'running') continue
    }
    const tone = toneOf(line.status)
    if (text !== '') shown.push({ number: line.seq, text, ...(tone && { tone }) })
  }
  return shown
}

const toneOf = (status: string): LogLine['tone'] => (status === 'failed' ? 'danger' : status === leftOutStatus ? 'left-out' : undefined)

/** The line that failed, in the host's own words. */
export const failingLineOf = (lines: readonly JobEventView[]): string | null =>
  stripControls(lines.findLast((line) => line.status === 'failed' && line.message !== '')?.message ?? '') || null

// A control character with the sequence it begins; then any single control character and direction marks.
const controls = /\p{Cc}\[[0-9;?]*[ -/]*[@-~]|\p{Cc}\][^\p{Cc}]*\p{Cc}\\?|[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu

/** Colours, cursor movements and direction marks are useless in a list of lines and could mislead. */
const stripControls = (text: string): string => text.replace(controls, '').trimEnd()
