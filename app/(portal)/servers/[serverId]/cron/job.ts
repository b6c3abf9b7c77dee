import type { Answer } from '@/lib/contract/operation'
import type { cron } from '@/lib/contract/operations/cron'
import { formatTimes } from '@/lib/crontab/times'

export type CronAnswer = Answer<typeof cron.list>
export type CronJob = CronAnswer['cronjobs'][number]

/** The fields of the form. */
export type JobFields = Omit<CronJob, 'line'>

/** What is being edited: a new job, perhaps a copy of another one, or the replacement of a job. */
export type Editing = { begunAs: CronJob | null; replaces: CronJob | null }

export const sameJob = (one: JobFields, other: JobFields): boolean =>
  one.user === other.user && one.command === other.command && formatTimes(one) === formatTimes(other)

/** The fields of the job to be replaced, by the names that the action reads. */
export const oldFields = (job: CronJob): Record<string, string> =>
  Object.fromEntries(Object.entries(job).map(([name, value]) => [`old.${name}`, value]))

/** A system user that can have jobs. domain: of its site; empty for the users of people. */
export type Account = { user: string; domain: string }

type Known = {
  /** The system users of the server; empty while they are unknown. */
  listed: readonly { name: string }[]
  siteUsers: NonNullable<CronAnswer['site_users']>
  jobs: readonly { user: string }[]
}

/** Every system user that can have jobs, root first, then those of people, then those of sites; each once. */
export function accountsFor({ listed, siteUsers, jobs }: Known): Account[] {
  const ofSites = new Map(siteUsers.map(({ user, domain }) => [user, domain]))
  const plain = ['root', ...listed.map(({ name }) => name), ...jobs.map(({ user }) => user)].filter((user) => !ofSites.has(user))
  return [...[...new Set(plain)].map((user) => ({ user, domain: '' })), ...[...ofSites].map(([user, domain]) => ({ user, domain }))]
}
