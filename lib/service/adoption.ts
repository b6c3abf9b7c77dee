/** Sites that are on a server already when an account adds it: which of them are the account's, and what other accounts may read of them. */
import type { SiteRecord, SiteRecords } from './machines/site-records'
import { ownerTag } from './owner'
import { findKnownSites } from './store/adoption'
import type { MachineRow } from './store/machines'
import type { Store } from './store/store'

/** adopted: become the account's. held: belong to others, or are known elsewhere. */
export type SortedSites = { adopted: readonly SiteRecord[]; held: readonly SiteRecord[] }

/**
 * Records say whose they are. Those that earlier versions made do not: they are the account's if it knows their ids, or if no other account of this
 * service does and no other Gatehouse logs in to the server. former: the server that the account deleted; null if there is none.
 */
export async function sortSites(
  store: Store,
  { sites, shared }: SiteRecords,
  { accountId, hostKey, former }: { accountId: string; hostKey: string; former: MachineRow | null },
): Promise<SortedSites> {
  const ids = sites.map(({ id }) => id)
  const { own, elsewhere } = await findKnownSites(store, former?.id ?? null, ids)
  const tag = ownerTag(accountId)
  const isOwn = ({ id, owner }: SiteRecord): boolean => {
    const other = elsewhere.get(id)
    // Root of this server has given it to this account. An id of a site on another server proves nothing.
    if (other) return owner === tag && other.hostKey === hostKey && other.accountId !== accountId
    return owner === tag || (owner === '' && (own.has(id) || !shared))
  }
  const live = new Set(sites.filter((site) => site.copyOf === '' && isOwn(site)).map(({ name }) => name))
  const isAdopted = (site: SiteRecord) => live.has(site.copyOf === '' ? site.name : site.copyOf)
  return { adopted: sites.filter(isAdopted), held: sites.filter((site) => !isAdopted(site)) }
}

export const liveDomains = (sites: readonly SiteRecord[]): string[] =>
  sites.filter(({ copyOf }) => copyOf === '').map(({ domain }) => domain)

/** What root runs to give the sites to the account. Names are letters and digits, so nothing has to be quoted. */
export function takeOverCommand(accountId: string, held: readonly SiteRecord[]): string {
  const names = held.filter(({ copyOf }) => copyOf === '').map(({ name }) => name)
  const record = '/etc/gatehouse/sites/$name/site'
  return `for name in ${names.join(' ')}; do sed -i '/^owner /d' ${record}; echo 'owner ${ownerTag(accountId)}' >>${record}; done`
}
