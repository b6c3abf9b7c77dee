/** Which jobs a user may see. */
import 'server-only'
import { ownerOf } from '@/lib/portal/access/connections'
import { visibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'

/**
 * The team's jobs as a filter for Prisma, but those on what only another member's own connection lists. Everybody who sees a server or site
 * sees what is done there, through whichever connection.
 */
export async function jobsVisibleTo(actor: Actor): Promise<Prisma.JobWhereInput> {
  const others = await db().connection.findMany({
    where: { teamId: actor.team.id, AND: [{ ownerId: { not: null } }, { ownerId: { not: ownerOf(actor) } }] },
    select: { id: true },
  })
  const seen = visibleTo(actor)
  const hidden = others.map(({ id }) => id)
  return {
    teamId: actor.team.id,
    OR: [{ connectionId: null }, { connectionId: { notIn: hidden } }, { server: seen }, { site: seen }],
  }
}
