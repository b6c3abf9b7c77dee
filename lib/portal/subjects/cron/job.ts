/** Identifies cron jobs by their content. */
import 'server-only'
import type { Answer } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import { formatTimes, timeNames } from '@/lib/crontab/times'

export type CronJob = Answer<typeof cron.list>['cronjobs'][number]

/** The members that define a job. A service's `line` may be just a position, which is invalid once other jobs are added or removed. */
export type JobFields = Omit<CronJob, 'line'>

export const fieldsOf = ({ user, minute, hour, dom, mon, dow, command }: JobFields): JobFields => ({
  user,
  minute,
  hour,
  dom,
  mon,
  dow,
  command,
})

// The name or path of a program. An assignment, an option or a URL may contain a password.
const plainProgram = /^[\w./+-]{1,80}$/

/** For the audit log: schedule and program, without the arguments, because users write passwords there. */
export function describeJob(job: JobFields): string {
  const [program = '', ...rest] = job.command.trim().split(/\s+/)
  if (!plainProgram.test(program)) return `${formatTimes(job)} …`
  return `${formatTimes(job)} ${program}${rest.length > 0 ? ' …' : ''}`
}

/** The job's text without surrounding spaces, because services list saved jobs without them. Equal for equal jobs. */
export const formatJob = (job: JobFields): string => {
  const times = Object.fromEntries(timeNames.map((name) => [name, job[name].trim()]))
  return JSON.stringify([job.user, formatTimes({ ...fieldsOf(job), ...times }), job.command.trimStart()])
}

export const isSameJob = (one: JobFields, other: JobFields): boolean => formatJob(one) === formatJob(other)
