/** Whether the connections through which somebody reaches a place may be used for what they ask for, and whose have to be lent for more if not. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { compileRight, isSeen } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { readTeamGrants } from '@/lib/portal/access/grants/read'
import { isForeign, mayUse } from '@/lib/portal/access/loans/compile'
import { type Borrower, lendingTo } from '@/lib/portal/access/loans/read'
import { db } from '@/lib/portal/base/db'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { findKeys } from '../access/list'
import type { Somewhere } from './place'

/** A member whose own connection is lent, and the connection. */
export type Lender = { id: string; name: string; connectionId: string; label: string }

/**
 * includes: whether a connection can be used there for an operation. lenders: who could lend theirs for more, if lent ones are all there is; only
 * those who see the place themselves. owners: the names of all whose connections these are.
 */
type Reached = { includes: (operation: Operation) => boolean; lenders: readonly Lender[]; owners: readonly string[] }

const withoutLoan: Reached = { includes: () => true, lenders: [], owners: [] }

export async function findReached(borrower: Borrower, place: Somewhere): Promise<Reached> {
  const { teamId, userId } = borrower
  const lending = await lendingTo(borrower)
  if (lending.rights.size === 0) return withoutLoan
  const usable = (await findKeys(teamId, place)).filter((key) => mayUse(key, userId, lending, place))
  if (usable.length === 0 || usable.some((key) => !isForeign(key, userId))) return withoutLoan
  const found = await db().connection.findMany({
    where: { id: { in: usable.map(({ id }) => id) } },
    select: { id: true, label: true, owner: { select: { id: true, name: true } } },
    orderBy: [{ owner: { name: 'asc' } }, { createdAt: 'asc' }],
  })
  const all = found.flatMap(({ id, label, owner }) => (owner ? [{ id: owner.id, name: owner.name, connectionId: id, label }] : []))
  const seeing = await findSeeing(teamId, new Set(all.map(({ id }) => id)), place)
  return {
    includes: (operation) => usable.some((key) => mayUse(key, userId, lending, place, needOf(operation))),
    lenders: all.filter(({ id }) => seeing.has(id)),
    owners: [...new Set(all.map(({ name }) => name))],
  }
}

/** Those of the members who see the place. */
async function findSeeing(teamId: string, userIds: ReadonlySet<string>, place: Somewhere): Promise<Set<string>> {
  const where = { teamId, userId: { in: [...userIds] }, user: { disabledAt: null }, ...lastingMemberships() }
  const [members, { grants, labels }] = await Promise.all([db().membership.findMany({ where }), readTeamGrants(teamId)])
  const now = Date.now()
  return new Set(members.filter((member) => isSeen(compileRight(member, grants, labels, now), place)).map(({ userId }) => userId))
}
