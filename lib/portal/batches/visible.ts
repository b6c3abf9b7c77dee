/** Which batches, and which of their targets, a user may see. */
import 'server-only'
import { operations } from '@/lib/contract'
import { ownerOf } from '@/lib/portal/access/connections'
import { type Followed, groupFollowed, namesMany, seesAll } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { lendingOf } from '@/lib/portal/access/loans/read'
import { listedWithoutLoan, through } from '@/lib/portal/access/visible'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'
import { findBatchKind } from './kinds'

/**
 * Those on servers and sites that the user sees, of operations whose subject is in their grants; whoever started a batch sees all of it, if
 * nothing is out of their sight.
 */
export async function targetsVisibleTo(actor: Actor): Promise<Prisma.BatchTargetWhereInput> {
  const ownerId = ownerOf(actor)
  const [right, listed] = await Promise.all([rightOf(actor), listedTargetsOf(actor)])
  const batch = { teamId: actor.team.id }
  if (seesAll(right)) {
    const own = ownerId === null ? [] : [{ batch: { startedById: ownerId } }]
    return { batch, OR: [...listed, ...own] }
  }
  const granted = groupFollowed(right, batchWork).map(targetsOf)
  return granted.length === 0 ? { batchId: { in: [] } } : { batch, OR: listed, AND: { OR: granted } }
}

/** What is listed for the actor or lent to them, whatever their grants are over. */
async function listedTargetsOf(actor: Actor): Promise<Prisma.BatchTargetWhereInput[]> {
  const { rights } = await lendingOf(actor)
  const lent = [...rights].flatMap(([id, each]) => groupFollowed(each, batchWork).map((group) => lentTargetsOf(id, group)))
  return [{ server: listedWithoutLoan(actor) }, { site: listedWithoutLoan(actor) }, ...lent]
}

const batchWork = operations.filter(({ id }) => findBatchKind(id))

/** On what a connection lists, of the operations that it is lent for. */
const lentTargetsOf = (connectionId: string, followed: Followed): Prisma.BatchTargetWhereInput => ({
  AND: [targetsOf(followed), { OR: [{ server: through(connectionId) }, { site: through(connectionId) }] }],
})

type Target = { serverId: string | null; siteId: string | null; site: { serverId: string | null } | null }

/** The same for lists, in two parts: a filter for Prisma, and what to check of the rows if the grants are over very many servers or sites. */
export async function siftTargets(
  actor: Actor,
): Promise<{ where: Prisma.BatchTargetWhereInput; keeps: (operation: string, target: Target) => boolean }> {
  const right = await rightOf(actor)
  const groups = groupFollowed(right, batchWork)
  if (seesAll(right) || !namesMany(groups.map(({ reach }) => reach))) return { where: await targetsVisibleTo(actor), keeps: () => true }
  const reachOf = new Map(groups.flatMap(({ operations: ids, reach }) => ids.map((id) => [id, reach] as const)))
  const keeps = (operation: string, { serverId, siteId, site }: Target) => {
    const reach = reachOf.get(operation)
    const onServer = [serverId, site?.serverId].some((id) => reach?.servers.has(id ?? ''))
    return reach !== undefined && (reach.everything || onServer || reach.sites.has(siteId ?? ''))
  }
  const batch = { teamId: actor.team.id, operation: { in: [...reachOf.keys()] } }
  return { where: { batch, OR: await listedTargetsOf(actor) }, keeps }
}

/** Also on servers and sites that are gone since. */
function targetsOf({ operations: ids, reach: { everything, servers, sites } }: Followed): Prisma.BatchTargetWhereInput {
  const [batch, serverId, siteId] = [{ operation: { in: ids } }, { in: [...servers] }, { in: [...sites] }]
  return everything ? { batch } : { batch, OR: [{ serverId }, { siteId }, { site: { serverId } }] }
}

/** Batches of the team with at least one such target. */
export const batchesVisibleTo = async (actor: Actor): Promise<Prisma.BatchWhereInput> => ({
  teamId: actor.team.id,
  targets: { some: await targetsVisibleTo(actor) },
})
