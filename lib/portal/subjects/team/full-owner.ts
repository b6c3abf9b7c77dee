/** A team always has an owner with access to everything, so that nothing becomes out of reach for all. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { fullColumns } from '@/lib/portal/access/grants/stored'
import type { Prisma } from '@/prisma/generated/portal/client'

export const lastFullOwner = problem('forbidden', {
  sentence: 'A team needs an owner who can do everything on all servers and sites, without an end. Give another owner that access first.',
})

/** Whether no owner who can sign in, and whose membership has no end, has all access. */
export async function lacksFullOwner(tx: Prisma.TransactionClient, teamId: string): Promise<boolean> {
  const full = { ...fullColumns, until: null, validFrom: { lte: new Date() }, scopes: { some: { kind: 'everything' as const } } }
  const withGrant = { OR: [{ grants: { some: full } }, { team: { grants: { some: { ...full, role: 'owner' as const } } } }] }
  const where = { teamId, role: 'owner' as const, endsAt: null, user: { disabledAt: null }, ...withGrant }
  return (await tx.membership.count({ where })) === 0
}
