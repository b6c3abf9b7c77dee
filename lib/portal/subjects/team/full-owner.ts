/** A team always has an owner with access to everything, so that nothing becomes out of reach for all. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { fullColumns } from '@/lib/portal/access/grants/stored'
import type { Role } from '@/lib/portal/identity/actor'
import type { Prisma } from '@/prisma/generated/portal/client'

export const lastFullOwner = problem('forbidden', {
  sentence: 'A team needs an owner who can do everything on all servers and sites, without an end. Give another owner that access first.',
})

const full = (now: Date) => ({ ...fullColumns, validFrom: { lte: now }, scopes: { some: { kind: 'everything' as const } } })

/** Whether no owner who can sign in, and whose membership has no end, has all access. */
export async function lacksFullOwner(tx: Prisma.TransactionClient, teamId: string): Promise<boolean> {
  const lasting = { ...full(new Date()), until: null }
  const withGrant = { OR: [{ grants: { some: lasting } }, { team: { grants: { some: { ...lasting, role: 'owner' as const } } } }] }
  const where = { teamId, role: 'owner' as const, endsAt: null, user: { disabledAt: null }, ...withGrant }
  return (await tx.membership.count({ where })) === 0
}

/** Whether a member has access to everything, as far as their role allows it. */
export async function hasFullAccess(
  tx: Prisma.TransactionClient,
  { teamId, userId, role }: { teamId: string; userId: string; role: Role },
): Promise<boolean> {
  const now = new Date()
  const where = { teamId, ...full(now), AND: [{ OR: [{ userId }, { role }] }, { OR: [{ until: null }, { until: { gt: now } }] }] }
  return (await tx.grant.count({ where })) > 0
}
