/** What a restored sandbox site gets back if it was created again: what it was, but for aliases that other sites have now. */
import type { SiteWork } from '../sites'
import type { SandboxModel, SandboxSite } from './model'

type Restored = { site: SandboxSite; aliases: string[]; says: string }

/** What is restored; null if nothing is. */
const restoredBy = (work: SiteWork) => (work.kind === 'restore' ? work : work.kind === 'create' ? work.restored : null)

/** site: as it is. says: for the end of the last line. A living site keeps its settings. */
export function restoreSettings(machine: SandboxModel, work: SiteWork, site: SandboxSite): Restored {
  const restored = restoredBy(work)
  const was = restored && machine.siteBackups.find(({ name }) => name === restored.backup)?.was
  if (!restored || !was || was.id === site.id) return { site, aliases: [], says: '' }
  const others = machine.sites.filter(({ id }) => id !== site.id).flatMap(({ domain, aliases }) => [domain, ...aliases])
  const taken = new Set([...others, ...restored.taken])
  // They were names beside the former domain.
  const wanted = was.domain === site.domain ? was.aliases.filter((alias) => !site.aliases.includes(alias)) : []
  const aliases = wanted.filter((alias) => !taken.has(alias))
  const left = wanted.filter((alias) => taken.has(alias)).map((alias) => `the alias ${alias}, which is a name of another site now`)
  const { ssl, certificate, settings, app, mail, keys } = was
  return {
    site: { ...site, aliases: [...site.aliases, ...aliases].sort(), ssl, certificate, settings, app, mail, keys },
    aliases,
    says: `${left.length > 0 ? ` Not as before: ${left.join('; ')}.` : ''} The password for uploads is the one of the new site.`,
  }
}
