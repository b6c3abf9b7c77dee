/** Filters servers or sites down to those a user may see. */
import 'server-only'
import { findServerNames, findSiteNames } from '@/lib/portal/base/sql/names'
import type { Actor } from '@/lib/portal/identity/actor'
import type { LabelSubject, Prisma } from '@/prisma/generated/portal/client'
import { listUsableConnections, ownerOf } from './connections'
import { isSeen, type Right } from './grants/compile'
import type { Place } from './grants/grant'
import { rightOf } from './grants/read'
import { findLentOnly } from './loans/lent-only'
import { lendingOf } from './loans/read'

/** Names by id. Leaves out ids that are deleted, unknown, another team's, listed only by another user's connection, or in no grant. */
export async function findVisibleNames(actor: Actor, kind: LabelSubject, ids: readonly string[]): Promise<Map<string, string>> {
  const [right, connections, { rights }] = await Promise.all([rightOf(actor), listUsableConnections(actor), lendingOf(actor)])
  const wanted = { teamId: actor.team.id, ids }
  const lists: { connectionIds: string[]; lent: Right | null }[] = [
    ...[...rights].map(([id, lent]) => ({ connectionIds: [id], lent })),
    { connectionIds: connections.map(({ id }) => id), lent: null },
  ]
  const named = lists.map(async ({ connectionIds, lent }) => {
    const sees = (place: Place) => isSeen(right, place) && (lent === null || isSeen(lent, place))
    const rows = await findListed(kind, { ...wanted, connectionIds })
    return rows.filter(({ place }) => sees(place)).map(({ id, name }) => [id, name] as const)
  })
  return new Map((await Promise.all(named)).flat())
}

type Wanted = Parameters<typeof findServerNames>[0]

async function findListed(kind: LabelSubject, wanted: Wanted): Promise<{ id: string; name: string; place: Place }[]> {
  if (kind === 'server') return (await findServerNames(wanted)).map((row) => ({ ...row, place: { kind, serverId: row.id } }))
  return (await findSiteNames(wanted)).map(({ id, name, serverId }) => ({ id, name, place: { kind, siteId: id, serverId } }))
}

/** Which servers or sites the user sees, of those in rows that were read in another way. */
export async function findSight(actor: Actor): Promise<(place: Place) => boolean> {
  const [right, isLentServer, isLentSite] = await Promise.all([rightOf(actor), findLentOnly(actor, 'server'), findLentOnly(actor, 'site')])
  return (place) => {
    if (!isSeen(right, place) || place.kind === 'everywhere') return isSeen(right, place)
    return place.kind === 'server' ? isLentServer(place.serverId, place) : isLentSite(place.siteId, place)
  }
}

/** What a connection lists that the actor may use without a loan. */
const usable = (actor: Actor) => ({ connections: { some: { connection: { OR: [{ ownerId: null }, { ownerId: ownerOf(actor) }] } } } })

/** What one connection lists. */
export const through = (connectionId: string) => ({ connections: { some: { connectionId } } })

/** The servers or sites that the actor sees without a loan, as far as their grants include them. */
export const listedWithoutLoan = (actor: Actor) => ({ teamId: actor.team.id, goneAt: null, ...usable(actor) })

/** The servers that a connection lists which the actor may use for them, whatever their grants are over: for filters that check these themselves. */
export async function serversListedFor(actor: Actor) {
  const { rights } = await lendingOf(actor)
  const lent = [...rights].map(([id, { seen }]) => ({ ...through(id), ...(seen.everything ? {} : { id: { in: [...seen.servers] } }) }))
  return { teamId: actor.team.id, goneAt: null, AND: [{ OR: [usable(actor), ...lent] }] } satisfies Prisma.ServerWhereInput
}

/** The same for sites. */
export async function sitesListedFor(actor: Actor) {
  const { rights } = await lendingOf(actor)
  const lent = [...rights].map(([id, { seen }]) => ({ ...through(id), ...(seen.everything ? {} : { OR: within(seen) }) }))
  return { teamId: actor.team.id, goneAt: null, AND: [{ OR: [usable(actor), ...lent] }] } satisfies Prisma.SiteWhereInput
}

const within = ({ servers, sites }: Right['seen']) => [{ id: { in: [...sites] } }, { serverId: { in: [...servers] } }]

/** The servers that a user may see at all, as a filter for Prisma. */
export async function serversVisibleTo(actor: Actor): Promise<Prisma.ServerWhereInput> {
  const [{ seen }, listed] = await Promise.all([rightOf(actor), serversListedFor(actor)])
  return seen.everything ? listed : { ...listed, AND: [...listed.AND, { id: { in: [...seen.servers] } }] }
}

/** The same for sites: those in a grant, and those of servers in a grant. */
export async function sitesVisibleTo(actor: Actor): Promise<Prisma.SiteWhereInput> {
  const [{ seen }, listed] = await Promise.all([rightOf(actor), sitesListedFor(actor)])
  return seen.everything ? listed : { ...listed, AND: [...listed.AND, { OR: within(seen) }] }
}
