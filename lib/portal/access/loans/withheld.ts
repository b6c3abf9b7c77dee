/** Whether work that was begun with a connection may still go through it. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { hasEnded } from '@/lib/portal/identity/membership'
import type { Connection } from '@/prisma/generated/portal/client'
import { findFrozen } from '../frozen'
import type { Need, Place } from '../grants/grant'
import { needOf } from '../grants/needs'
import { isForeign, mayUse } from './compile'
import { type Borrower, lendingTo } from './read'

const ended = problem('no_connection', { sentence: 'The connection is not lent for this any more.' })

/** What was begun: by whom, and what it does where. An operation that this version does not know needs any loan there at all. */
type Begun = { teamId: string; startedById: string | null; operation: string; place: Place }

/** The reason not to use the connection for it now: it is frozen, was removed, or is not lent any more. Null if there is none. Never stale. */
export async function findWithheld(connection: Pick<Connection, 'id' | 'ownerId'>, begun: Begun): Promise<Problem | null> {
  const frozen = await findFrozen(connection.id)
  if (frozen || begun.startedById === null || !isForeign(connection, begun.startedById)) return frozen
  const borrower = await findBorrower(begun.teamId, begun.startedById)
  if (!borrower) return ended
  return mayUse(connection, borrower.userId, await lendingTo(borrower), begun.place, needFor(begun.operation)) ? null : ended
}

export function needFor(operation: string): Need | undefined {
  const known = findOperation(operation)
  return known && needOf(known)
}

/** Null for whoever is no member any more. */
export async function findBorrower(teamId: string, userId: string): Promise<Borrower | null> {
  const membership = await db().membership.findFirst({ where: { teamId, userId, user: { disabledAt: null } } })
  return membership && !hasEnded(membership) ? { teamId, userId, role: membership.role } : null
}
