/** Which jobs a user may see. */
import 'server-only'
import { listUsableConnections, ownerOf } from '@/lib/portal/access/connections'
import { type Followed, groupFollowed, namesMany, type Right, seesAll } from '@/lib/portal/access/grants/compile'
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
  const [ofTeam, right] = [await listedJobsOf(actor), await rightOf(actor)]
  if (seesAll(right)) return ofTeam
  const granted = groupsOf(right).map(jobsOf)
  return granted.length === 0 ? { id: { in: [] } } : { AND: [ofTeam, { OR: granted }] }
}

type JobPlace = { operation: string; serverId: string | null; siteId: string | null }

/** The same for lists, in two parts: a filter for Prisma, and what to check of the rows if the grants are over very many servers or sites. */
export async function siftJobs(actor: Actor): Promise<{ where: Prisma.JobWhereInput; keeps: (job: JobPlace) => boolean }> {
  const right = await rightOf(actor)
  const groups = groupsOf(right)
  if (seesAll(right) || !namesMany(groups.map(({ reach }) => reach))) return { where: await jobsVisibleTo(actor), keeps: () => true }
  const reaches = new Map(groups.flatMap(({ operations, reach }) => operations.map((id) => [id, reach] as const)))
  const keeps = ({ operation, serverId, siteId }: JobPlace) => {
    const reach = reaches.get(operation)
    if (reach === undefined) return false
    return reach.everything || reach.servers.has(serverId ?? '') || reach.sites.has(siteId ?? '')
  }
  return { where: { AND: [await listedJobsOf(actor), { operation: { in: [...reaches.keys()] } }] }, keeps }
}

const grouped = new WeakMap<Right, Followed[]>()

/** Every write leads to another right, so what is known of one is never stale. */
function groupsOf(right: Right): Followed[] {
  const found = grouped.get(right) ?? groupFollowed(right, followedWork)
  grouped.set(right, found)
  return found
}

/** The team's jobs, whatever the grants of the actor are over. */
async function listedJobsOf(actor: Actor): Promise<Prisma.JobWhereInput> {
  const ownerId = ownerOf(actor)
  const [connections, { rights }, foreign] = await Promise.all([listUsableConnections(actor), lendingOf(actor), listForeign(actor)])
  const listed = listedWithoutLoan(actor)
  const lent = [...rights].flatMap(([id, each]) => groupFollowed(each, followedWork).map((group) => lentJobsOf(id, group)))
  const usable = { connectionId: { in: connections.map(({ id }) => id) } }
  // What they did with a connection that is lent to them no more is not theirs to follow.
  const stillLent = { OR: [{ connectionId: null }, { connectionId: { notIn: foreign } }] }
  const own = ownerId === null ? [] : [{ startedById: ownerId, ...(foreign.length > 0 && stillLent) }]
  return { teamId: actor.team.id, OR: [{ connectionId: null }, usable, { server: listed }, { site: listed }, ...lent, ...own] }
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
