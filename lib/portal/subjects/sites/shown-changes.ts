/** Whether a read shows that a change to a site was made, for changes whose answer was lost. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Answer, Operation } from '@/lib/contract/operation'
import { isSameDomain } from '@/lib/text/ascii-domain'
import { namesBefore } from '../backups/names-before'

/** Reads through the job's connection. Null if there is no complete answer. */
export type AskSite = <O extends Operation>(read: O) => Promise<Answer<O> | null>

/**
 * jobId: of the change. fieldOf: a field of it as it was sent. about: the part of the site that it concerned. since: when it was started.
 */
type Change = { jobId: string; fieldOf: (name: string) => string; about: string; since: Date }

export type Shown = (ask: AskSite, change: Change) => Promise<boolean>

/** Times that services report may have no fraction of a second. */
const isSince = (time: string | null | undefined, since: Date): boolean =>
  Date.parse(time ?? '') >= Math.floor(since.getTime() / 1000) * 1000

/** A certificate that is older than the change proves nothing: SSL was on, and the change was to renew it. */
const isSwitched: Shown = async (ask, { fieldOf, since }) => {
  const settings = (await ask(contract.sites.settings))?.item[0]
  if (!settings) return false
  const wanted = fieldOf('status') === '1'
  return settings.ssl === wanted && !(wanted && Date.parse(settings.issued ?? '') < since.getTime())
}

async function hasAlias(ask: AskSite, alias: string): Promise<boolean | null> {
  const listed = (await ask(contract.aliases.list))?.item[0].aliases
  return listed ? listed.some(({ domain }) => isSameDomain(domain, alias)) : null
}

const isAdded: Shown = async (ask, { fieldOf }) => (await hasAlias(ask, fieldOf('alias'))) === true

const isRemoved: Shown = async (ask, { fieldOf }) => (await hasAlias(ask, fieldOf('alias'))) === false

const isConfigured: Shown = async (ask, { fieldOf }) => {
  const settings = (await ask(contract.sites.settings))?.item[0]
  if (!settings) return false
  const { php, folder } = settings
  const isSame = (name: 'upload_limit' | 'memory_limit' | 'workers' | 'waiting' | 'hsts' | 'mail_per_hour') =>
    Number(settings[name]) === Number(fieldOf(name))
  const limits = isSame('upload_limit') && isSame('memory_limit')
  // What was not sent stays as it is.
  const numbers = (['workers', 'waiting', 'hsts', 'mail_per_hour'] as const).every((name) => fieldOf(name) === '' || isSame(name))
  const redirect = fieldOf('www_redirect') === '' || settings.www_redirect === (fieldOf('www_redirect') === '1')
  return php === fieldOf('php') && limits && numbers && redirect && folder === fieldOf('folder')
}

/** Pages switch only to the other state, so the wanted one proves the change. */
const isEmailSwitched: Shown = async (ask, { fieldOf }) => (await ask(contract.email.get))?.item[0].email === (fieldOf('status') === '1')

/** Only an install of this name can have made it: pages offer one only for a site without an app. */
const isInstalled: Shown = async (ask, { about }) => {
  const name = (await ask(contract.apps.get))?.item[0].app.name ?? ''
  return name !== '' && name.toLowerCase() === about.toLowerCase()
}

/** A new password alone leaves no trace that could be read. */
const isPulled: Shown = async (ask, { since }) => {
  const staging = (await ask(contract.apps.staging))?.item[0]
  return isSince(staging?.pulled, since)
}

/** A backup that was not there before. Without a list from before, only one that says when it was made, and that it was ordered. */
const isBackedUp: Shown = async (ask, { jobId, since }) => {
  const items = (await ask(contract.backups.list))?.items ?? []
  const before = await namesBefore(jobId)
  return items.some(({ name, created_at, reason }) => (before ? !before.has(name) : reason === 'manual' && isSince(created_at, since)))
}

export const shownChanges = {
  ssl: isSwitched,
  settings: isConfigured,
  aliasAdded: isAdded,
  aliasRemoved: isRemoved,
  email: isEmailSwitched,
  installed: isInstalled,
  pulled: isPulled,
  backedUp: isBackedUp,
}
