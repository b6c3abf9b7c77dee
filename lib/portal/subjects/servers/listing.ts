/** Maps a connection's list of servers to rows. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Problem } from '@/lib/contract/problem'
import { storableText } from '@/lib/database/values'
import { db } from '@/lib/portal/base/db'
import {
  findUnprovenSince,
  insertServers,
  type ListedMembers,
  linkServers,
  markUnlistedGone,
  noteListed,
  unlinkServers,
  updateServers,
} from '@/lib/portal/base/sql/listing'
import { showBidiControls } from '@/lib/text/bidi'
import type { Connection } from '@/prisma/generated/portal/client'
import { findListingProblem } from '../listing/cache'
import type { ListingKind } from '../listing/kind'
import { refreshListing } from '../listing/refresh'
import { settleDeletes } from './settle'

/**
 * The database parses the list as JSON, so none of its text passes through the driver's checks. Characters that change the direction of
 * text become visible codes here, so that no page, title, log or job has to handle them; users can type the codes to confirm.
 */
const shown = (text: string): string => storableText(showBidiControls(text))

const memberNames = ['name', 'hostname', 'dns', 'provider', 'state', 'hostKey', 'address'] as const
const members = Object.fromEntries(memberNames.map((name) => [name, true])) as Record<(typeof memberNames)[number], true>

export const serverListing: ListingKind<typeof contract.servers.list, ListedMembers> = {
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
    insert: insertServers,
    update: updateServers,
    noteListed,
    link: linkServers,
    findUnproven: findUnprovenSince,
    unlink: unlinkServers,
    markUnlistedGone,
    findListedAt: async (connectionId) => {
      const { _max } = await db().serverOnConnection.aggregate({ where: { connectionId }, _max: { provenAt: true } })
      return _max.provenAt
    },
  },
  onListed: settleDeletes,
}

/** Null if the list was read now or a moment ago, else the problem; the rows are then unchanged. */
export const refreshServers = (connection: Connection): Promise<Problem | null> => refreshListing(serverListing, connection)

/** Why the newest listing of servers failed; null if it succeeded, or if there was none in the last minute. */
export const findServersProblem = (connectionId: string): Problem | null => findListingProblem(contract.servers.list.id, connectionId)
