/** Maps a connection's list of sites to rows. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { type ListedSiteMembers, relateSites, siteStatements } from '@/lib/portal/base/sql/listing'
import type { Connection } from '@/prisma/generated/portal/client'
import { findListingProblem } from '../listing/cache'
import type { ListingKind } from '../listing/kind'
import { listedText as shown } from '../listing/listed-text'
import { refreshListing } from '../listing/refresh'
import { detailsOf, siteDetails } from './details'
import { siteDeletes } from './gone'

const members = {
  domain: true,
  upstreamServerId: true,
  state: true,
  ssl: true,
  expires: true,
  details: true,
} as const satisfies Record<keyof ListedSiteMembers, true>

export const siteListing: ListingKind<typeof contract.sites.list, ListedSiteMembers> = {
  operation: contract.sites.list,
  /** If a service omits the state of a site, it has none: it may have reported one in another version. */
  membersOf: (item) => ({
    domain: shown(item.domain),
    upstreamServerId: shown(item.server),
    state: item.state ?? '',
    ssl: item.ssl === undefined ? '' : item.ssl ? 'on' : 'off',
    expires: shown(item.expires ?? ''),
    details: siteDetails.write(detailsOf(item)),
  }),
  rows: {
    find: (place, upstreamIds) =>
      db().site.findMany({
        where: { ...place, upstreamId: { in: [...upstreamIds] } },
        select: { id: true, upstreamId: true, goneAt: true, ...members },
      }),
    ...siteStatements,
    relate: relateSites,
    findListedAt: async (connectionId) => {
      const { _max } = await db().siteOnConnection.aggregate({ where: { connectionId }, _max: { provenAt: true } })
      return _max.provenAt
    },
  },
  onListed: siteDeletes.settle,
}

/** Null if the list was read now, or at most `maxAgeMs` ago (by default a moment), else the problem; the rows are then unchanged. */
export const refreshSites = (connection: Connection, maxAgeMs?: number): Promise<Problem | null> =>
  refreshListing(siteListing, connection, maxAgeMs)

/** Why the newest listing of sites failed; null if it succeeded, or if there was none in the last minute. */
export const findSitesProblem = (connectionId: string): Problem | null => findListingProblem(contract.sites.list.id, connectionId)
