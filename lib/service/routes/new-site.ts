/** Decides whether an account may have a new site on a server. */
import { randomUUID } from 'node:crypto'
import { problem } from '@/lib/contract/problem'
import { Refused } from '../failure'
import type { SiteOnHost } from '../machines/sites'
import { createSiteName, firstAliases } from '../site-names'
import type { MachineRow } from '../store/machines'
import { findNamesInUse, listSiteNames } from '../store/sites'
import type { Service } from './call'

/** The site to create. Throws Refused not_installed; invalid if a site of the account already has one of its names. */
export async function admitSite({ store }: Service, machine: MachineRow, domain: string, www: boolean): Promise<SiteOnHost> {
  if (machine.state !== 'ready') throw new Refused(problem('not_installed'))
  const aliases = firstAliases(domain, www)
  const [taken] = await findNamesInUse(store, machine.accountId, [domain, ...aliases])
  if (taken !== undefined) {
    throw new Refused(problem('invalid', { fields: { domain: `${taken} is already a name of another site. Delete that site first.` } }))
  }
  const names = new Set(await listSiteNames(store, machine.id))
  let name = createSiteName(domain)
  while (names.has(name)) name = createSiteName(domain)
  return { id: randomUUID(), name, domain, aliases }
}
