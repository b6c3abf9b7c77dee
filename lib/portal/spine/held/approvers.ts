/** Who could be the second person: members with the right to do the same, except guests. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { compileRight, isAllowed, type Right } from '@/lib/portal/access/grants/compile'
import type { Place } from '@/lib/portal/access/grants/grant'
import { needOf } from '@/lib/portal/access/grants/needs'
import { readTeamGrants } from '@/lib/portal/access/grants/read'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'

/** passwordById: the member who was shown the link with which the password was set. */
export type Account = { id: string; passwordById: string | null }

/**
 * Whether one person may be able to sign in to both accounts: one has a password that was set with a link that the other was shown, or both were set
 * with links that the same member was shown. None of them is the other's second person.
 */
export const mayBeOne = (one: Account, other: Account): boolean =>
  one.passwordById === other.id || other.passwordById === one.id || (one.passwordById !== null && one.passwordById === other.passwordById)

/** A member who could decide. right: what their grants allow now. */
export type Candidate = { userId: string; role: Role; right: Right }

/** The members who could decide what this member asks, as far as their accounts go; null: what anybody asks. */
export async function listOthers(teamId: string, askedById: string | null): Promise<Candidate[]> {
  const account = { id: true, passwordById: true } as const
  const [asker, members, { grants, labels }] = await Promise.all([
    askedById === null ? null : db().user.findUnique({ where: { id: askedById }, select: account }),
    db().membership.findMany({
      where: { teamId, user: { disabledAt: null }, ...lastingMemberships() },
      select: { role: true, user: { select: account } },
    }),
    readTeamGrants(teamId),
  ])
  const now = Date.now()
  return members
    .filter(({ user }) => !asker || !mayBeOne(asker, user))
    .map(({ role, user }) => ({ userId: user.id, role, right: compileRight({ userId: user.id, role }, grants, labels, now) }))
}

/**
 * Whether the role and grants of a member allow an operation at all of these places. Whether a connection serves them there is decided when they
 * approve.
 */
export const mayApprove = ({ role, right }: Candidate, operation: Operation, places: readonly Place[]): boolean =>
  role !== 'guest' && mayRun(role, operation.effect) && places.every((place) => isAllowed(right, needOf(operation), place))

/** The ids of those who could approve an operation at these places, for what this member asks. */
export async function listApprovers(
  teamId: string,
  operation: Operation,
  places: readonly Place[],
  askedById: string | null,
): Promise<string[]> {
  const members = await listOthers(teamId, askedById)
  return members.filter((member) => mayApprove(member, operation, places)).map(({ userId }) => userId)
}
