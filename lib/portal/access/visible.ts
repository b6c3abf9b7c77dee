/** Filters servers or sites down to those a user may see. */
import 'server-only'
import { findServerNames, findSiteNames } from '@/lib/portal/base/sql/names'
import type { Actor } from '@/lib/portal/identity/actor'
import type { LabelSubject, Prisma } from '@/prisma/generated/portal/client'
import { listUsableConnections, ownerOf } from './connections'
import { isSeen } from './grants/compile'
import type { Place } from './grants/grant'
import { rightOf } from './grants/read'

/** Names by id. Leaves out ids that are deleted, unknown, another team's, listed only by another user's connection, or in no grant. */
export async function findVisibleNames(actor: Actor, kind: LabelSubject, ids: readonly string[]): Promise<Map<string, string>> {
  const [right, connections] = await Promise.all([rightOf(actor), listUsableConnections(actor)])
  const wanted = { teamId: actor.team.id, ids, connectionIds: connections.map(({ id }) => id) }
  if (kind === 'server') {
    const rows = await findServerNames(wanted)
    return new Map(rows.flatMap(({ id, name }) => (isSeen(right, { kind, serverId: id }) ? [[id, name]] : [])))
  }
  const rows = await findSiteNames(wanted)
  return new Map(rows.flatMap(({ id, name, serverId }) => (isSeen(right, { kind, siteId: id, serverId }) ? [[id, name]] : [])))
}

/** Which servers or sites the user sees, of those in rows that were read in another way. */
export async function findSight(actor: Actor): Promise<(place: Place) => boolean> {
  const right = await rightOf(actor)
  return (place) => isSeen(right, place)
}

/** What a connection lists that the actor may use, whatever their grants are over: for filters that check these themselves. */
export const listedFor = (actor: Actor) => ({
  teamId: actor.team.id,
  goneAt: null,
  connections: { some: { connection: { OR: [{ ownerId: null }, { ownerId: ownerOf(actor) }] } } },
})

/** The servers that a user may see at all, as a filter for Prisma. */
export async function serversVisibleTo(actor: Actor): Promise<Prisma.ServerWhereInput> {
  const { seen } = await rightOf(actor)
  return { ...listedFor(actor), ...(seen.everything ? {} : { AND: { id: { in: [...seen.servers] } } }) }
}

/** The same for sites: those in a grant, and those of servers in a grant. */
export async function sitesVisibleTo(actor: Actor): Promise<Prisma.SiteWhereInput> {
  const { seen } = await rightOf(actor)
  const granted = { OR: [{ id: { in: [...seen.sites] } }, { serverId: { in: [...seen.servers] } }] }
  return { ...listedFor(actor), ...(seen.everything ? {} : { AND: granted }) }
}
