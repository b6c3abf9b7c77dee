/** The sites a user may see: the union over their usable connections. */
import 'server-only'
import type { Actor } from '@/lib/portal/identity/actor'
import { type ConnectionRow, createList, type Listed } from '../listing/list'
import { answerSince as answerVersion, type Versioned } from '../listing/version'
import { siteListing } from './listing'
import { readListedSites } from './read-list'
import type { ListedSite } from './row'

export type { ListedSite } from './row'

export type SiteList = { sites: ListedSite[]; connections: ConnectionRow[] }

export type VersionedSiteList = Versioned<SiteList>

const list = createList(siteListing, readListedSites)

const named = ({ rows: sites, connections }: Listed<ListedSite>): SiteList => ({ sites, connections })

/** Lists over all connections, each at most once in 2 s. For one that fails, returns the problem and its last known sites. */
export const listSites = async (actor: Actor): Promise<SiteList> => named(await list.ask(actor))

/** The last known list, without calling a service. Null if nothing was listed yet. */
export async function findKnownSites(actor: Actor): Promise<SiteList | null> {
  const known = await list.findKnown(actor)
  return known && known.rows.length > 0 ? named(known) : null
}

/** The answer to a poll, as JSON text of a VersionedSiteList. `seen`: the caller's version, or null. */
export const answerSitesSince = (sites: SiteList, seen: string | null): Promise<string> => answerVersion('sites', sites, seen)
