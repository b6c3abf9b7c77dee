/** Which batches, and which of their targets, a user may see. */
import 'server-only'
import { ownerOf } from '@/lib/portal/access/connections'
import { visibleTo } from '@/lib/portal/access/visible'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'

/** Those on servers and sites that the user sees; whoever started a batch sees all of it. */
export function targetsVisibleTo(actor: Actor): Prisma.BatchTargetWhereInput {
  const ownerId = ownerOf(actor)
  const seen = visibleTo(actor)
  const own = ownerId === null ? [] : [{ batch: { startedById: ownerId } }]
  return { batch: { teamId: actor.team.id }, OR: [{ server: seen }, { site: seen }, ...own] }
}

/** Batches of the team with at least one such target. */
export const batchesVisibleTo = (actor: Actor): Prisma.BatchWhereInput => ({
  teamId: actor.team.id,
  targets: { some: targetsVisibleTo(actor) },
})
