/** Which jobs a user may see. */
import 'server-only'
import { listUsableConnections, ownerOf } from '@/lib/portal/access/connections'
import { type Followed, groupFollowed, seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { lendingOf } from '@/lib/portal/access/loans/read'
import { listedWithoutLoan, through } from '@/lib/portal/access/visible'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'
import { followedWork } from './event-kinds'

/**
 * The team's jobs as a filter for Prisma, but those on what only another member's own connection lists, also after it was removed. Everybody
 * who sees a server or site sees what is done there, through whichever connection, as far as it is of a subject in their grants, and in the
 * loan if they see it by one.
 */
export async function jobsVisibleTo(actor: Actor): Promise<Prisma.JobWhereInput> {
  const ownerId = ownerOf(actor)
  const [right, connections, { rights }, foreign] = await Promise.all([
    rightOf(actor),
    listUsableConnections(actor),
    lendingOf(actor),
    listForeign(actor),
  ])
  const listed = listedWithoutLoan(actor)
  const lent = [...rights].flatMap(([id, each]) => groupFollowed(each, followedWork).map((group) => lentJobsOf(id, group)))
  const usable = { connectionId: { in: connections.map(({ id }) => id) } }
  // What they did with a connection that is lent to them no more is not theirs to follow.
  const stillLent = { OR: [{ connectionId: null }, { connectionId: { notIn: foreign } }] }
  const own = ownerId === null ? [] : [{ startedById: ownerId, ...(foreign.length > 0 && stillLent) }]
  const ofTeam = { teamId: actor.team.id, OR: [{ connectionId: null }, usable, { server: listed }, { site: listed }, ...lent, ...own] }
  if (seesAll(right)) return ofTeam
  const granted = groupFollowed(right, followedWork).map(jobsOf)
  return granted.length === 0 ? { id: { in: [] } } : { AND: [ofTeam, { OR: granted }] }
}

/** On what a connection lists, of the operations that it is lent for. */
const lentJobsOf = (connectionId: string, followed: Followed): Prisma.JobWhereInput => ({
  AND: [jobsOf(followed), { OR: [{ server: through(connectionId) }, { site: through(connectionId) }] }],
})

/** The ids of other members' own connections that are not lent to this actor. */
async function listForeign(actor: Actor): Promise<string[]> {
  const [teamId, ownerId] = [actor.team.id, ownerOf(actor)]
  const others = await cachedUntilWrite(`foreign ${teamId} ${ownerId}`, () =>
    db().connection.findMany({ where: { teamId, NOT: [{ ownerId: null }, { ownerId }] }, select: { id: true } }),
  )
  const { rights } = await lendingOf(actor)
  return others.map(({ id }) => id).filter((id) => !rights.has(id))
}

/** Also on servers and sites that are gone since. */
function jobsOf({ operations: ids, reach: { everything, servers, sites } }: Followed): Prisma.JobWhereInput {
  const operation = { in: ids }
  return everything ? { operation } : { operation, OR: [{ serverId: { in: [...servers] } }, { siteId: { in: [...sites] } }] }
}
