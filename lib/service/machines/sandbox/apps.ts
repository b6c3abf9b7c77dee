/** Apps of sandbox sites. Sites whose domain begins with `app.` or `shop.` have WordPress, as if it had been put there by hand. */
import { type CatalogueEntry, shownVersion } from '../apps/entry'
import type { AppFacts, SiteOnHost, SiteWork } from '../sites'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'
import { describeSettings } from './site-settings'

/** What the simulated Debian 12 would get. */
const packages: ReadonlyMap<string, string> = new Map([
  ['wordpress', '6.1.9+dfsg1-0+deb12u1'],
  ['dokuwiki', '0.0.20220731.a-2'],
])

/** The first label of a site's domain decides what it has; a staging copy has what its live site has. */
export const labelOf = (domain: string): string => domain.replace(/^staging\./, '').split('.')[0] ?? ''

export const hasWordPress = ({ domain, app }: Pick<SandboxSite, 'domain' | 'app'>): boolean =>
  ['app', 'shop'].includes(labelOf(domain)) || app?.app === 'wordpress'

export const appOf = (site: SandboxSite): SandboxSite['app'] =>
  site.app ?? (hasWordPress(site) ? { app: 'wordpress', version: '6.1.9' } : null)

export function describeApp(machine: SandboxModel, site: SandboxSite): AppFacts {
  const app = appOf(site)
  return { found: app && { ...app, build: app.app === 'dokuwiki' ? '53' : '' }, php: describeSettings(machine, site).php, packages }
}

/** The app of the site once the job is done. */
export function appAfter({ sites }: SandboxModel, work: SiteWork): SandboxSite['app'] {
  if (work.kind === 'app') return { app: work.app.app, version: versionOf(work.app) }
  const source = work.kind === 'push' && work.parts.files ? work.copy : work.site
  return sites.find(({ id }) => id === source.id)?.app ?? null
}

const versionOf = (entry: CatalogueEntry): string =>
  shownVersion(entry, 'package' in entry.source ? (packages.get(entry.source.package) ?? '') : '')

/** The address at which the app's administrator signs in. */
export const loginOf = ({ login }: CatalogueEntry, { domain }: SiteOnHost, ssl: boolean): string =>
  `http${ssl ? 's' : ''}://${domain}${login}`

export function refuseApp(machine: SandboxModel, { site, app }: Extract<SiteWork, { kind: 'app' }>): SandboxSiteJob['failure'] {
  const present = machine.sites.find(({ id }) => id === site.id)
  if (present && (present.app !== null || hasWordPress(present))) {
    return {
      step: 'Check the server',
      problem: 'unsuitable',
      error: `The site has files already. ${app.title} is installed only on an empty site. Delete what is in public first; nothing was changed.`,
    }
  }
  if (!site.domain.startsWith('noapp.')) return null
  return { step: 'Download', error: 'The step “Download” failed: E: Failed to fetch the package. Connection timed out.' }
}
