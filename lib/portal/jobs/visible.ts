/** Which jobs a user may see. */
import 'server-only'
import { listUsableConnections, ownerOf } from '@/lib/portal/access/connections'
import { type Followed, groupFollowed, seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { listedFor } from '@/lib/portal/access/visible'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'
import { followedWork } from './event-kinds'

/**
 * The team's jobs as a filter for Prisma, but those on what only another member's own connection lists, also after it was removed. Everybody
 * who sees a server or site sees what is done there, through whichever connection, as far as it is of a subject in their grants.
 */
export async function jobsVisibleTo(actor: Actor): Promise<Prisma.JobWhereInput> {
  const ownerId = ownerOf(actor)
  const [right, connections] = await Promise.all([rightOf(actor), listUsableConnections(actor)])
  const listed = listedFor(actor)
  const through = { connectionId: { in: connections.map(({ id }) => id) } }
  const own = ownerId === null ? [] : [{ startedById: ownerId }]
  const ofTeam = { teamId: actor.team.id, OR: [{ connectionId: null }, through, { server: listed }, { site: listed }, ...own] }
  if (seesAll(right)) return ofTeam
  const granted = groupFollowed(right, followedWork).map(jobsOf)
  return granted.length === 0 ? { id: { in: [] } } : { AND: [ofTeam, { OR: granted }] }
}

/** Also on servers and sites that are gone since. */
function jobsOf({ operations: ids, reach: { everything, servers, sites } }: Followed): Prisma.JobWhereInput {
  const operation = { in: ids }
  return everything ? { operation } : { operation, OR: [{ serverId: { in: [...servers] } }, { siteId: { in: [...sites] } }] }
}
