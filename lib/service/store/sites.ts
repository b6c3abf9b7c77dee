/** Sites of accounts' servers: rows, each with its aliases. */
import type { Site, SiteAlias, SiteState } from '@/prisma/generated/service/client'
import type { SiteOnHost } from '../machines/sites'
import { type MachineRow, ofAccount } from './machines'
import type { Store } from './store'

export type { SiteState }

/** A site with its aliases. */
export type SiteRow = Site & { aliases: SiteAlias[] }

// Lists are long and often requested, so only the displayed columns are read.
const listed = {
  id: true,
  machineId: true,
  domain: true,
  state: true,
  deleting: true,
  usage: true,
  answers: true,
  address: true,
  mx: true,
  ssl: true,
  expires: true,
  php: true,
  app: true,
  appVersion: true,
  backupAt: true,
} as const

/** staging: the domain of its staging copy; empty without one. aliases: their domains, sorted. */
export type ListedSite = Pick<Site, keyof typeof listed> & { staging: string; aliases: readonly string[] }

/** Staging copies are known to callers through their live sites alone. */
const noCopy = { stagingOf: '' } as const

export async function listSites(store: Store, accountId: string): Promise<ListedSite[]> {
  const machine = ofAccount(accountId)
  const [sites, copies, names] = await Promise.all([
    store.db.site.findMany({ where: { ...noCopy, machine }, select: listed, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    store.db.site.findMany({ where: { NOT: noCopy, state: 'ready', machine }, select: { domain: true, stagingOf: true } }),
    store.db.siteAlias.findMany({
      where: { site: { ...noCopy, machine } },
      orderBy: { domain: 'asc' },
      select: { siteId: true, domain: true },
    }),
  ])
  const domains = new Map(copies.map(({ domain, stagingOf }) => [stagingOf, domain]))
  const aliases = new Map<string, string[]>()
  for (const { siteId, domain } of names) aliases.set(siteId, [...(aliases.get(siteId) ?? []), domain])
  return sites.map((site) => ({ ...site, staging: domains.get(site.id) ?? '', aliases: aliases.get(site.id) ?? [] }))
}

/** Null if there is none with that id, it is a staging copy, or it belongs to another account: callers cannot tell these apart. */
export async function findSite(store: Store, accountId: string, id: string): Promise<(SiteRow & { machine: MachineRow }) | null> {
  return store.db.site.findFirst({ where: { id, ...noCopy, machine: ofAccount(accountId) }, include: { aliases: true, machine: true } })
}

export async function findServerOfSite(store: Store, accountId: string, id: string): Promise<string | null> {
  return (
    (await store.db.site.findFirst({ where: { id, ...noCopy, machine: ofAccount(accountId) }, select: { machineId: true } }))?.machineId ??
    null
  )
}

/** Those of the names that are a domain or an alias of a site on any server of the account. */
export async function findNamesInUse(store: Store, accountId: string, names: readonly string[]): Promise<string[]> {
  const among = { in: [...names] }
  const [domains, aliases, coming] = await Promise.all([
    store.db.site.findMany({ where: { machine: ofAccount(accountId), domain: among }, select: { domain: true } }),
    store.db.siteAlias.findMany({ where: { site: { machine: ofAccount(accountId) }, domain: among }, select: { domain: true } }),
    store.db.run.findMany({
      where: { machine: ofAccount(accountId), operation: 'aliases.save', state: 'running', domain: among },
      select: { domain: true },
    }),
  ])
  return [...new Set([...domains, ...aliases, ...coming].map(({ domain }) => domain))]
}

/** The names of all sites of the account but one. */
export async function listNames(store: Store, accountId: string, except: string): Promise<string[]> {
  const machine = ofAccount(accountId)
  const [domains, aliases] = await Promise.all([
    store.db.site.findMany({ where: { machine, NOT: { id: except } }, select: { domain: true } }),
    store.db.siteAlias.findMany({ where: { site: { machine }, NOT: { siteId: except } }, select: { domain: true } }),
  ])
  return [...domains, ...aliases].map(({ domain }) => domain)
}

/** The site whose user on the server has that name; null if there is none. */
export async function findSiteOfUser(store: Store, machineId: string, name: string): Promise<Site | null> {
  return store.db.site.findUnique({ where: { machineId_name: { machineId, name } } })
}

/** The staging copy of a site; null if there is none. */
export async function findCopy(store: Store, liveId: string): Promise<SiteRow | null> {
  return store.db.site.findFirst({ where: { stagingOf: liveId }, include: { aliases: true } })
}

export async function listSiteNames(store: Store, machineId: string): Promise<string[]> {
  return (await store.db.site.findMany({ where: { machineId }, select: { name: true } })).map(({ name }) => name)
}

/** The users of the finished sites of a server, staging copies included. */
export async function listSiteUsers(store: Store, machineId: string): Promise<{ user: string; domain: string }[]> {
  const where = { machineId, state: 'ready', deleting: false } as const
  const sites = await store.db.site.findMany({ where, select: { name: true, domain: true }, orderBy: { domain: 'asc' } })
  return sites.map(({ name: user, domain }) => ({ user, domain }))
}

/** The finished sites of a server that were last checked before that time, or never, or that changed: the longest unchecked first. */
export async function listSitesToCheck(
  store: Store,
  machineId: string,
  { before, changed }: { before: Date; changed: readonly string[] },
): Promise<SiteRow[]> {
  const unchecked = [{ checkedAt: null }, { checkedAt: { lt: before } }, { id: { in: [...changed] } }]
  return store.db.site.findMany({
    where: { ...noCopy, machineId, state: 'ready', deleting: false, OR: unchecked },
    orderBy: [{ checkedAt: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
    include: { aliases: true },
  })
}

/** What a check found; a member that is absent stays as it is. checkedAt: absent after an incomplete check. */
export type SiteFindings = Partial<
  Pick<Site, 'usage' | 'answers' | 'ssl' | 'expires' | 'address' | 'mx' | 'php' | 'app' | 'appVersion' | 'backupAt' | 'checkedAt'>
>

export type CheckedSite = {
  id: string
  findings: SiteFindings
  aliases: readonly { domain: string; findings: Pick<SiteFindings, 'address' | 'mx'> }[]
}

/** Stores what a check found. A site or an alias that was deleted in the meantime is skipped. */
export async function noteFindings(store: Store, found: readonly CheckedSite[]): Promise<void> {
  const updates = found.flatMap(({ id, findings, aliases }) => [
    store.db.site.updateMany({ where: { id }, data: findings }),
    ...aliases.map((alias) => store.db.siteAlias.updateMany({ where: { siteId: id, domain: alias.domain }, data: alias.findings })),
  ])
  await store.db.$transaction(updates)
}

export const onHost = ({ id, name, domain, aliases }: SiteRow): SiteOnHost => ({
  id,
  name,
  domain,
  aliases: aliases.map((alias) => alias.domain).sort(),
})
