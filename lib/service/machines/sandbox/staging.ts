/** Staging copies of sandbox sites, and the tables of sites. The first label of a domain decides what a site has: docs/sandbox.md. */
import type { CopiedParts, SiteOnHost, SiteWork } from '../sites'
import type { LiveChanges, SiteTable, StagedTable, StagingFacts } from '../staged'
import { hasWordPress, labelOf } from './apps'
import { orderCertificate } from './certificates'
import type { SandboxModel, SandboxSite, SandboxSiteJob } from './model'
import { checkName } from './names'
import { newSettings } from './site-settings'

const wordPress = ['commentmeta', 'comments', 'links', 'options', 'postmeta', 'posts', 'termmeta', 'terms', 'usermeta', 'users']
/** Its two tables of orders are joined by a foreign key. */
const shop = ['wc_order_addresses', 'wc_orders', 'woocommerce_order_items']
const joined = ['wp_wc_order_addresses', 'wp_wc_orders']
/** Tables that visitors write to. */
const busy = ['wp_commentmeta', 'wp_comments', ...joined]
const quietMs = 60_000
/** What visitors and editors of a WordPress do on live meanwhile. */
const uploads = ['wp-content/uploads/2026/11/harbour.jpg', 'wp-content/uploads/2026/11/menu.pdf']
const editedTwice = ['wp-content/themes/harbour/style.css']

export function tablesOf(site: Pick<SandboxSite, 'domain' | 'app'>): SiteTable[] {
  if (!hasWordPress(site)) return []
  const names = labelOf(site.domain) === 'shop' ? [...wordPress, ...shop].sort() : wordPress
  return names.map((name, index) => ({ name: `wp_${name}`, bytes: (index + 1) * 16_384, rows: index * 7 }))
}

const partnersOf = (name: string, tables: readonly SiteTable[]): string[] =>
  joined.includes(name) ? tables.map((table) => table.name).filter((other) => joined.includes(other) && other !== name) : []

export function describeStaging(machine: SandboxModel, site: SandboxSite, nowMs: number, usedBytes: number): StagingFacts {
  const copy = findCopy(machine, site)?.staging
  const tables = tablesOf(site)
  const staged = tables.map((table): StagedTable => {
    const pulled = copy?.tables.includes(table.name) ?? false
    const changed = pulled && busy.includes(table.name) && nowMs - (copy?.pulledAtMs ?? nowMs) > quietMs
    return { ...table, pulled, changed, partners: partnersOf(table.name, tables) }
  })
  const pulledAt = copy ? new Date(copy.pulledAtMs).toISOString() : ''
  // Sites whose domain begins with `shop.` also have a table that is not InnoDB.
  const mixed = labelOf(site.domain) === 'shop'
  const liveChanges = copy ? changesOf(site, nowMs - copy.filesAtMs) : null
  return { exists: copy !== undefined, pulledAt, filesBytes: usedBytes, mixed, tables: staged, liveChanges }
}

function changesOf(site: SandboxSite, passedMs: number): LiveChanges {
  if (!hasWordPress(site) || passedMs <= quietMs) return { count: 0, names: [], conflicts: [], noted: true }
  return { count: uploads.length + editedTwice.length, names: uploads, conflicts: editedTwice, noted: true }
}

const findCopy = ({ sites }: SandboxModel, { id }: Pick<SiteOnHost, 'id'>) =>
  sites.find(({ staging }) => staging?.of === id) as (SandboxSite & { staging: NonNullable<SandboxSite['staging']> }) | undefined

/** The copy as the work leaves it; null for work that leaves it as it is. */
export function copyAfter(machine: SandboxModel, work: SiteWork, nowMs: number): SandboxSite | null {
  if (work.kind === 'push') return work.replace && work.parts.files ? replacedBy(findCopy(machine, work.site), nowMs) : null
  if (work.kind !== 'pull') return null
  const { site, copy, parts } = work
  const present = work.isNew ? undefined : findCopy(machine, site)
  const live = machine.sites.find(({ id }) => id === site.id)
  const wished = parts.tables.length > 0 || !live ? parts.tables : tablesOf(live).map(({ name }) => name)
  const tables = [...new Set([...(present?.staging.tables ?? []), ...(parts.database ? wished : [])])]
  const pulledAtMs = copies(parts) ? nowMs : (present?.staging.pulledAtMs ?? nowMs)
  const staging = { of: site.id, pulledAtMs, tables, filesAtMs: parts.files ? nowMs : (present?.staging.filesAtMs ?? nowMs) }
  const settings = present?.settings ?? live?.settings ?? newSettings
  const app = (parts.files ? live : present)?.app ?? null
  const kept = { ssl: present?.ssl ?? false, certificate: present?.certificate ?? null, settings, app }
  const mail = { on: false, wasOn: false, addresses: [] }
  const base = { ...copy, aliases: [...copy.aliases], ...kept, mail, keys: [], staging, owner: '', upToDate: present?.upToDate ?? true }
  const orders = (live?.ssl ?? false) && checkName(copy.domain).result !== 'blocked'
  return orders ? { ...base, ssl: true, certificate: orderCertificate(base, nowMs) } : base
}

/** How many files of live a push keeps. */
export function keptBy(machine: SandboxModel, work: SiteWork, nowMs: number): number {
  if (work.kind !== 'push' || work.replace || !work.parts.files) return 0
  const live = machine.sites.find(({ id }) => id === work.site.id)
  const copy = findCopy(machine, work.site)
  return live && copy ? changesOf(live, nowMs - copy.staging.filesAtMs).count : 0
}

const replacedBy = (copy: ReturnType<typeof findCopy>, nowMs: number): SandboxSite | null =>
  copy ? { ...copy, staging: { ...copy.staging, filesAtMs: nowMs } } : null

/** A pull may set a new password for browsers alone. */
export const copies = ({ files, database }: CopiedParts): boolean => files || database

export const addressOf = ({ domain, ssl }: Pick<SandboxSite, 'domain' | 'ssl'>): string => `${ssl ? 'https' : 'http'}://${domain}`

/** In the words of a real server. */
export function refuseParts(machine: SandboxModel, work: SiteWork): SandboxSiteJob['failure'] {
  if (work.kind !== 'pull' && work.kind !== 'push') return null
  const { site, copy, parts } = work
  const live = machine.sites.find(({ id }) => id === site.id)
  const refuse = (error: string) => ({ step: 'Check the server', problem: 'unsuitable' as const, error })
  const present = findCopy(machine, site)
  const taken = machine.sites.some(({ id, domain, aliases }) => id !== copy.id && [domain, ...aliases].includes(copy.domain))
  if (!present && taken) return refuse(`${copy.domain} is already served here. Nothing was changed.`)
  if (work.kind === 'push' && site.domain.startsWith('full.')) return noBackup
  return live ? refuseTables(live, parts, refuse) : null
}

const noBackup: SandboxSiteJob['failure'] = {
  step: 'Backup',
  problem: 'unsuitable',
  error: 'There is no room for a backup. Nothing was changed.',
}

function refuseTables(site: SandboxSite, { database, tables }: CopiedParts, refuse: (error: string) => SandboxSiteJob['failure']) {
  if (!database) return null
  const known = tablesOf(site)
  const unknown = tables.find((name) => !known.some((table) => table.name === name))
  if (unknown !== undefined) return refuse(`There is no table ${unknown} in the database ${site.name}. Nothing was changed.`)
  for (const name of tables) {
    const lacking = partnersOf(name, known).filter((partner) => !tables.includes(partner))
    const joins = 'foreign keys, triggers or views join them. Choose all of them; nothing was changed.'
    if (lacking.length > 0) return refuse(`${name} cannot be copied without ${lacking.join(', ')}: ${joins}`)
  }
  return null
}
