/** Who could be the second person: members with the right to do the same, except guests. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { compileRight, isAllowed } from '@/lib/portal/access/grants/compile'
import type { Place } from '@/lib/portal/access/grants/grant'
import { needOf } from '@/lib/portal/access/grants/needs'
import { readTeamGrants } from '@/lib/portal/access/grants/read'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { lastingMemberships } from '@/lib/portal/identity/membership'

/**
 * Accounts but those whose password was set with a link that this member was shown: they could sign in to such an account, and would be their own
 * second person. Null: of nobody.
 */
export const notSetBy = (askedById: string | null) =>
  askedById === null ? {} : { OR: [{ passwordById: null }, { passwordById: { not: askedById } }] }

/**
 * The ids of members whose role and grants allow an operation at all of these places, for what this member asks. Whether a connection serves
 * them there is decided when they approve.
 */
export async function listApprovers(
  teamId: string,
  operation: Operation,
  places: readonly Place[],
  askedById: string | null,
): Promise<string[]> {
  const user = { disabledAt: null, ...notSetBy(askedById) }
  const where = { teamId, role: { not: 'guest' as const }, user, ...lastingMemberships() }
  const [members, { grants, labels }] = await Promise.all([
    db().membership.findMany({ where, select: { userId: true, role: true } }),
    readTeamGrants(teamId),
  ])
  const [need, now] = [needOf(operation), Date.now()]
  return members
    .filter(({ role }) => mayRun(role, operation.effect))
    .filter((member) => {
      const right = compileRight(member, grants, labels, now)
      return places.every((place) => isAllowed(right, need, place))
    })
    .map(({ userId }) => userId)
}
