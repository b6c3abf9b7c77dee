/** A cron job as the portal tells one from another. */
import 'server-only'
import type { Answer } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import { formatTimes, timeNames } from '@/lib/crontab/times'

export type CronJob = Answer<typeof cron.list>['cronjobs'][number]

/** What a job is; its `line` may be no more than its place, and tells nothing once others came or went. */
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

// A path or the name of a program. An assignment in front of it, an option or a URL may hold a password.
const plainProgram = /^[\w./+-]{1,80}$/

/** For the audit log: when it runs and which program, without what the program is given: people write passwords there. */
export function describeJob(job: JobFields): string {
  const [program = '', ...rest] = job.command.trim().split(/\s+/)
  if (!plainProgram.test(program)) return `${formatTimes(job)} …`
  return `${formatTimes(job)} ${program}${rest.length > 0 ? ' …' : ''}`
}

/** What a job says, however it was typed: a service lists what was saved without the blanks around it. Equal for the same job. */
export const formatJob = (job: JobFields): string => {
  const times = Object.fromEntries(timeNames.map((name) => [name, job[name].trim()]))
  return JSON.stringify([job.user, formatTimes({ ...fieldsOf(job), ...times }), job.command.trimStart()])
}

export const isSameJob = (one: JobFields, other: JobFields): boolean => formatJob(one) === formatJob(other)
