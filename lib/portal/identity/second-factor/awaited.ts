/** Second factors of an account: what a session that was opened with a password alone still awaits, and whether the last one has to stay. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Prisma, SessionAwaits } from '@/prisma/generated/portal/client'
import { lastingMemberships } from '../membership'

/**
 * Of those who need a second factor: all of a team that requires one, and owners of a team that requires single sign-on, because with the
 * password they may go around it.
 */
const needingFactor: Prisma.MembershipWhereInput = {
  OR: [{ team: { requiresSecondFactor: true } }, { role: 'owner', team: { requiresSingleSignOn: true } }],
}

/** Null if the user has no second factor and needs none. */
export async function findAwaited({ userId, teamId }: { userId: string; teamId: string }): Promise<SessionAwaits | null> {
  if (await hasSecondFactor(userId)) return 'secondFactor'
  const needing = await db().membership.count({ where: { userId, teamId, ...needingFactor } })
  return needing > 0 ? 'secondFactorSetup' : null
}

/** An authenticator app that was confirmed with a code, or a passkey. */
export async function hasSecondFactor(userId: string, client: Prisma.TransactionClient = db()): Promise<boolean> {
  const confirmed = { userId, confirmedAt: { not: null } }
  return (await client.totp.count({ where: confirmed })) > 0 || (await client.passkey.count({ where: { userId } })) > 0
}

/** For the page Account: whether the user has only one second factor, and may not remove it. */
export async function isLastFactorNeeded(userId: string): Promise<boolean> {
  return (await db().passkey.count({ where: { userId } })) === 0 && mustKeepFactor(userId)
}

/** Whether the user needs a second factor in one of their teams, so that the last one has to stay. */
export async function mustKeepFactor(userId: string, client: Prisma.TransactionClient = db()): Promise<boolean> {
  return (await client.membership.count({ where: { userId, AND: [needingFactor, lastingMemberships()] } })) > 0
}
