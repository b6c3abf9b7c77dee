/** Which jobs a user may see. */
import 'server-only'
import { listUsableConnections, ownerOf } from '@/lib/portal/access/connections'
import { visibleTo } from '@/lib/portal/access/visible'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'

/**
 * The team's jobs as a filter for Prisma, but those on what only another member's own connection lists, also after it was removed. Everybody
 * who sees a server or site sees what is done there, through whichever connection.
 */
export async function jobsVisibleTo(actor: Actor): Promise<Prisma.JobWhereInput> {
  const ownerId = ownerOf(actor)
  const seen = visibleTo(actor)
  const connections = await listUsableConnections(actor)
  const through = { connectionId: { in: connections.map(({ id }) => id) } }
  const own = ownerId === null ? [] : [{ startedById: ownerId }]
  return { teamId: actor.team.id, OR: [{ connectionId: null }, through, { server: seen }, { site: seen }, ...own] }
}
