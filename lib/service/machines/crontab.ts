/** A system user's crontab: jobs and all other lines, each job identified by its content. Parsing and rendering are inverse. */
import { createHash } from 'node:crypto'
import { isPassedOver, type Job, readLine, writeLine } from '@/lib/crontab/line'
import { timesRefusals } from '@/lib/crontab/schedule'
import { formatTimes } from '@/lib/crontab/times'

/** The text of a crontab, one character per byte, so that bytes that are not UTF-8 survive unchanged. */
export type CrontabText = string

/** job: null for comments, settings, empty lines and lines that cron would not understand. */
type Line = { text: CrontabText; job: Job | null }

export type Crontab = {
  lines: readonly Line[]
  /** Whether the last line ends with a line feed. */
  ended: boolean
}

/** The crontab of a system user; whole: false if only its beginning was read. */
export type ReadCrontab = { user: string; text: CrontabText; whole: boolean }

/** line: the id that delete takes. */
export type KnownJob = Job & { line: string; user: string }

const asBytes = (text: string): CrontabText => Buffer.from(text, 'utf8').toString('latin1')
const asText = (bytes: CrontabText): string => Buffer.from(bytes, 'latin1').toString('utf8')

export function parseCrontab(text: CrontabText): Crontab {
  const ended = text === '' || text.endsWith('\n')
  const texts = text === '' ? [] : (ended ? text.slice(0, -1) : text).split('\n')
  return { lines: texts.map(parseLine), ended }
}

export function parseLine(text: CrontabText): Line {
  const job = readLine(text)
  return { text, job: job && { ...job, command: asText(job.command) } }
}

export function renderCrontab({ lines, ended }: Crontab): CrontabText {
  const text = lines.map((line) => line.text).join('\n')
  return ended && lines.length > 0 ? `${text}\n` : text
}

/** The jobs in order. Identical lines are numbered to tell them apart. */
export function jobsOf(user: string, { lines }: Crontab): KnownJob[] {
  const seen = new Map<string, number>()
  return lines.flatMap(({ text, job }) => {
    if (job === null) return []
    const count = (seen.get(text) ?? 0) + 1
    seen.set(text, count)
    return [{ ...job, user, line: idOf(user, text, count) }]
  })
}

/** The owner of the crontab that a line's id refers to; null if this cannot be one of Gatehouse's ids. */
export function userOfLine(line: string): string | null {
  return /^([^:\0-\x20]{1,64}):[\w-]{16}(?:\.\d{1,4})?$/.exec(line)?.[1] ?? null
}

function idOf(user: string, text: CrontabText, count: number): string {
  const digest = createHash('sha256').update(user).update('\0').update(text, 'latin1').digest('base64url').slice(0, 16)
  return `${user}:${digest}${count === 1 ? '' : `.${count}`}`
}

export const hasJob = ({ lines }: Crontab, job: Job): boolean => lines.some((line) => line.job !== null && isSameJob(line.job, job))

/** The line to write for a job. */
export const textOfJob = (job: Job): CrontabText => asBytes(writeLine(job))

/** Inserts a line before the one at `place`, or at the end. */
export const withLine = ({ lines }: Crontab, text: CrontabText, place: number): Crontab => ({
  lines: lines.toSpliced(place, 0, parseLine(text)),
  ended: true,
})

/** The index of the job with that id among all lines; null if there is none. */
export function placeOfJob(user: string, { lines, ...crontab }: Crontab, line: string): number | null {
  const nth = jobsOf(user, { lines, ...crontab }).findIndex((job) => job.line === line)
  const places = lines.flatMap(({ job }, place) => (job === null ? [] : [place]))
  return places[nth] ?? null
}

/** Removes only the line at that index. */
export const withoutLine = (crontab: Crontab, place: number): Crontab => ({ ...crontab, lines: crontab.lines.toSpliced(place, 1) })

export const isSameJob = (one: Job, other: Job): boolean =>
  formatTimes(one) === formatTimes(other) && one.command.trimStart() === other.command.trimStart()

/**
 * Whether cron comes to the end of a line while it still reads the times, so that it refuses them: a field is missing, or the last one is
 * invalid and nothing follows it.
 */
export function endsInRefusedTimes(text: CrontabText): boolean {
  if (isPassedOver(text)) return false
  const words = text.trimStart().split(/[ \t]+/)
  const named = words[0]?.startsWith('@') ?? false
  if (words.length !== (named ? 1 : 5)) return words.length < 5 && !named
  const job = readLine(`${text} x`)
  return job === null || Object.keys(timesRefusals(job)).includes(named ? 'minute' : 'dow')
}
