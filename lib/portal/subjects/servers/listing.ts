/** Maps a connection's list of servers to rows. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { type ListedServerMembers, serverStatements } from '@/lib/portal/base/sql/listing'
import type { Connection } from '@/prisma/generated/portal/client'
import { findListingProblem } from '../listing/cache'
import type { ListingKind } from '../listing/kind'
import { listedText as shown } from '../listing/listed-text'
import { refreshListing } from '../listing/refresh'
import { serverDeletes } from './gone'

const members = {
  name: true,
  hostname: true,
  dns: true,
  provider: true,
  state: true,
  hostKey: true,
  address: true,
} as const satisfies Record<keyof ListedServerMembers, true>

export const serverListing: ListingKind<typeof contract.servers.list, ListedServerMembers> = {
  operation: contract.servers.list,
  /** If a service omits the address, the known one stays. */
  membersOf: (item, known) => ({
    name: shown(item.name),
    hostname: shown(item.hostname),
    dns: shown(item.dns),
    provider: item.provider ?? '',
    state: item.state ?? '',
    hostKey: item.host_key ?? '',
    address: shown(item.ip ?? known?.address ?? ''),
  }),
  rows: {
    find: (place, upstreamIds) =>
      db().server.findMany({
        where: { ...place, upstreamId: { in: [...upstreamIds] } },
        select: { id: true, upstreamId: true, goneAt: true, ...members },
      }),
    ...serverStatements,
    findListedAt: async (connectionId) => {
      const { _max } = await db().serverOnConnection.aggregate({ where: { connectionId }, _max: { provenAt: true } })
      return _max.provenAt
    },
  },
  onListed: serverDeletes.settle,
}

/** Null if the list was read now or a moment ago, else the problem; the rows are then unchanged. */
export const refreshServers = (connection: Connection): Promise<Problem | null> => refreshListing(serverListing, connection)

/** Why the newest listing of servers failed; null if it succeeded, or if there was none in the last minute. */
export const findServersProblem = (connectionId: string): Problem | null => findListingProblem(contract.servers.list.id, connectionId)
