/** Whether a read shows that a change to a site was made, for changes whose answer was lost. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Answer, Operation } from '@/lib/contract/operation'
import { isSameDomain } from '@/lib/text/idn'

/** Reads through the job's connection. Null if there is no complete answer. */
export type AskSite = <O extends Operation>(read: O) => Promise<Answer<O> | null>

/** fieldOf: a field of the change as it was sent. since: when the change was started. */
type Change = { fieldOf: (name: string) => string; since: Date }

export type Shown = (ask: AskSite, change: Change) => Promise<boolean>

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
  const { php, upload_limit, memory_limit, folder } = settings
  const limits = Number(upload_limit) === Number(fieldOf('upload_limit')) && Number(memory_limit) === Number(fieldOf('memory_limit'))
  return php === fieldOf('php') && limits && folder === fieldOf('folder')
}

/** Pages switch only to the other state, so the wanted one proves the change. */
const isEmailSwitched: Shown = async (ask, { fieldOf }) => (await ask(contract.email.get))?.item[0].email === (fieldOf('status') === '1')

export const shownChanges = {
  email: isEmailSwitched,
  ssl: isSwitched,
  settings: isConfigured,
  aliasAdded: isAdded,
  aliasRemoved: isRemoved,
}
