/** A user's crontab: jobs among lines that are none of ours, each known by its content. Reading and rendering are inverse. */
import { createHash } from 'node:crypto'
import { type Job, readLine, writeLine } from '@/lib/crontab/line'
import { sayTimes } from '@/lib/crontab/times'

/** The text of a crontab, a character per byte: what is no UTF-8 comes back as it was. */
export type CrontabText = string

/** job: null for comments, settings, empty lines and what cron would not understand. */
type Line = { text: CrontabText; job: Job | null }

export type Crontab = {
  lines: readonly Line[]
  /** Whether the last line has its line feed. */
  ended: boolean
}

/** line: what delete takes. */
export type KnownJob = Job & { line: string; user: string }

const asBytes = (text: string): CrontabText => Buffer.from(text, 'utf8').toString('latin1')
const asText = (bytes: CrontabText): string => Buffer.from(bytes, 'latin1').toString('utf8')

export function parseCrontab(text: CrontabText): Crontab {
  const ended = text === '' || text.endsWith('\n')
  const texts = text === '' ? [] : (ended ? text.slice(0, -1) : text).split('\n')
  return { lines: texts.map(parseLine), ended }
}

function parseLine(text: CrontabText): Line {
  const job = readLine(text)
  return { text, job: job && { ...job, command: asText(job.command) } }
}

export function renderCrontab({ lines, ended }: Crontab): CrontabText {
  const text = lines.map((line) => line.text).join('\n')
  return ended && lines.length > 0 ? `${text}\n` : text
}

/** The jobs in their order. A line that stands there twice is told apart by a number. */
export function jobsOf(user: string, { lines }: Crontab): KnownJob[] {
  const seen = new Map<string, number>()
  return lines.flatMap(({ text, job }) => {
    if (job === null) return []
    const count = (seen.get(text) ?? 0) + 1
    seen.set(text, count)
    return [{ ...job, user, line: idOf(user, text, count) }]
  })
}

/** Whose crontab a line stands in; null for what was never an id of ours. */
export function userOfLine(line: string): string | null {
  return /^([^:\0-\x20]{1,64}):[\w-]{16}(?:\.\d{1,4})?$/.exec(line)?.[1] ?? null
}

function idOf(user: string, text: CrontabText, count: number): string {
  const digest = createHash('sha256').update(user).update('\0').update(text, 'latin1').digest('base64url').slice(0, 16)
  return `${user}:${digest}${count === 1 ? '' : `.${count}`}`
}

/** With the job as its last line; the very same crontab where it is there already. */
export function withJob(crontab: Crontab, job: Job): Crontab {
  if (crontab.lines.some((line) => line.job !== null && isSame(line.job, job))) return crontab
  return { lines: [...crontab.lines, parseLine(asBytes(writeLine(job)))], ended: true }
}

/** Without the job of that id and nothing else; null where there is none. */
export function withoutJob(user: string, crontab: Crontab, line: string): Crontab | null {
  const place = jobsOf(user, crontab).findIndex((job) => job.line === line)
  if (place < 0) return null
  const jobLines = crontab.lines.filter(({ job }) => job !== null)
  return { ...crontab, lines: crontab.lines.filter((candidate) => candidate !== jobLines[place]) }
}

const isSame = (one: Job, other: Job): boolean => sayTimes(one) === sayTimes(other) && one.command.trimStart() === other.command.trimStart()
