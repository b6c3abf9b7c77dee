/** Filters servers or sites down to those a user may see. */
import 'server-only'
import { findServerNames, findSiteNames } from '@/lib/portal/base/sql/names'
import type { Actor } from '@/lib/portal/identity/actor'
import type { LabelSubject } from '@/prisma/generated/portal/client'
import { listUsableConnections, ownerOf } from './connections'

/** Names by id. Leaves out ids that are deleted, unknown, another team's, or listed only by another user's connection. */
export async function findVisibleNames(actor: Actor, kind: LabelSubject, ids: readonly string[]): Promise<Map<string, string>> {
  const connectionIds = (await listUsableConnections(actor)).map(({ id }) => id)
  const wanted = { teamId: actor.team.id, ids, connectionIds }
  const rows = await (kind === 'server' ? findServerNames(wanted) : findSiteNames(wanted))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The servers or sites a user may see at all, as a filter for Prisma. */
export const visibleTo = (actor: Actor) => ({
  teamId: actor.team.id,
  goneAt: null,
  connections: { some: { connection: { OR: [{ ownerId: null }, { ownerId: ownerOf(actor) }] } } },
})
