/** Takes from a member what an ended membership or another role no longer gives. */
import 'server-only'
import { mayKeep } from '@/lib/portal/access/roles'
import type { Role } from '@/lib/portal/identity/actor'
import { dropMadeLinks } from '@/lib/portal/identity/one-time-link'
import { endSessionsOf } from '@/lib/portal/identity/session'
import type { Prisma } from '@/prisma/generated/portal/client'

type Who = { userId: string; teamId: string }

/** For somebody who may do nothing from now on. Returns how many of their connections were frozen. */
export async function withdrawAll(tx: Prisma.TransactionClient, who: Who): Promise<number> {
  await endSessionsOf(who.userId, tx)
  await dropMadeLinks(who.userId, tx)
  return freezeOwnConnections(tx, who)
}

/** For somebody who has this role from now on. Returns how many of their connections were frozen. */
export async function withdrawBeyond(role: Role, tx: Prisma.TransactionClient, who: Who): Promise<number> {
  await dropMadeLinks(who.userId, tx)
  return mayKeep(role, 'own') ? 0 : freezeOwnConnections(tx, who)
}

/** Returns how many. Those that they froze themselves count too, because frozenById becomes null: Gatehouse froze them. */
async function freezeOwnConnections(tx: Prisma.TransactionClient, { userId, teamId }: Who): Promise<number> {
  const { count } = await tx.connection.updateMany({
    where: { teamId, ownerId: userId, OR: [{ frozenAt: null }, { frozenById: userId }] },
    data: { frozenAt: new Date(), frozenById: null },
  })
  return count
}
