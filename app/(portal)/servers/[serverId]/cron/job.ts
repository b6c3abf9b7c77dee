import type { Answer } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import { formatTimes } from '@/lib/crontab/times'

export type CronAnswer = Answer<typeof cron.list>
export type CronJob = CronAnswer['cronjobs'][number]

/** What the form fills in. */
export type JobFields = Omit<CronJob, 'line'>

/** What is being filled in: a job of its own, perhaps begun as another one, or what is to stand in the place of one. */
export type Editing = { begunAs: CronJob | null; replaces: CronJob | null }

export const sameJob = (one: JobFields, other: JobFields): boolean =>
  one.user === other.user && one.command === other.command && formatTimes(one) === formatTimes(other)

/** The fields of the job that is to be replaced, by the names the action looks for. */
export const oldFields = (job: CronJob): Record<string, string> =>
  Object.fromEntries(Object.entries(job).map(([name, value]) => [`old.${name}`, value]))
