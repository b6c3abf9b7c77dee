/** The transaction of every change to a member: the change, then what must hold after it. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { mayManage } from '@/lib/portal/access/roles'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { Prisma } from '@/prisma/generated/portal/client'
import { lacksFullOwner, lastFullOwner } from './full-owner'

/** The membership as it was when the change was asked for. */
export type Seen = { userId: string; teamId: string; role: Role; endsAt: Date | null }

const lastOwner = problem('forbidden', {
  sentence: 'A team needs an owner whose membership has no end. Make another member an owner first.',
})

/**
 * `write` begins with the writing statement, so that two changes at once run one after the other and the second one sees the first; it
 * returns null if the member is no longer as seen. Afterwards the team must still have an owner, one with access to everything, and the user who makes the change must
 * still reach each of the roles that it touches. `options`: inTransaction's.
 */
export function changeMembership<T>(
  now: Person,
  seen: Seen,
  touches: readonly Role[],
  write: (tx: Prisma.TransactionClient) => Promise<T | null>,
  options: { taken?: Problem } = {},
): Promise<Outcome<T>> {
  return inTransaction(async (tx) => {
    const data = await write(tx)
    if (data === null) return { ok: false, problem: problem('changed_meanwhile') }
    if (seen.role === 'owner' && (await countOwners(tx, seen.teamId)) === 0) return { ok: false, problem: lastOwner }
    if (seen.role === 'owner' && (await lacksFullOwner(tx, seen.teamId))) return { ok: false, problem: lastFullOwner }
    if (seen.userId !== now.user.id && !(await mayStill(tx, now, touches))) return { ok: false, problem: problem('forbidden') }
    return { ok: true, data }
  }, options)
}

/** Owners who can sign in and whose membership has no end. */
export const countOwners = (tx: Prisma.TransactionClient, teamId: string): Promise<number> =>
  tx.membership.count({ where: { teamId, role: 'owner', endsAt: null, user: { disabledAt: null } } })

/** Whether the user may still change members with these roles. */
export async function mayStill(tx: Prisma.TransactionClient, { user, team }: Person, touches: readonly Role[]): Promise<boolean> {
  const own = await tx.membership.findFirst({
    where: { userId: user.id, teamId: team.id, user: { disabledAt: null }, ...lastingMemberships() },
  })
  return own !== null && touches.every((role) => mayManage(own.role, role))
}
