import type { CronAnswer } from './job'

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
