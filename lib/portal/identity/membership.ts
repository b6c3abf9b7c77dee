/** Which memberships count, and the users who have one. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Membership, Prisma, Role } from '@/prisma/generated/portal/client'

/** Whether the membership's end has come. */
export const hasEnded = ({ endsAt }: Pick<Membership, 'endsAt'>): boolean => endsAt !== null && endsAt.getTime() <= Date.now()

/** Memberships that have not ended. */
export const lastingMemberships = (): Prisma.MembershipWhereInput => ({ OR: [{ endsAt: null }, { endsAt: { gt: new Date() } }] })

/** The ids of active users who are members with one of these roles. */
export async function findMembers(teamId: string, roles: readonly Role[]): Promise<string[]> {
  const where = { teamId, role: { in: [...roles] }, user: { disabledAt: null }, ...lastingMemberships() }
  const rows = await db().membership.findMany({ where, select: { userId: true } })
  return rows.map(({ userId }) => userId)
}
