/** Who can approve what a member asks for. */
import 'server-only'
import { compileRight, isSeen, seesAnything } from '@/lib/portal/access/grants/compile'
import { readTeamGrants } from '@/lib/portal/access/grants/read'
import { compileLending, mayUse } from '@/lib/portal/access/loans/compile'
import { readTeamLoans } from '@/lib/portal/access/loans/read'
import { mayManage } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { findKeys } from '../access/list'
import { type AskedPlace, toPlace } from './place'

export type Approver = { id: string; name: string }

type Asker = { userId: string; role: Role }

/** The other members who may change the access of somebody with that role, and who see the place, or anything if none is named. */
export async function findApprovers(teamId: string, asker: Asker, asked: Pick<AskedPlace, 'kind' | 'id'> | null): Promise<Approver[]> {
  const place = asked && (await toPlace(asked))
  const [members, { grants, labels }, lent, keys] = await Promise.all([
    db().membership.findMany({
      where: {
        teamId,
        userId: { not: asker.userId },
        role: { in: ['owner', 'admin'] },
        user: { disabledAt: null },
        ...lastingMemberships(),
      },
      select: { userId: true, role: true, user: { select: { id: true, name: true } } },
    }),
    readTeamGrants(teamId),
    readTeamLoans(teamId),
    place ? findKeys(teamId, place) : [],
  ])
  const now = Date.now()
  const able = members.filter((member) => {
    if (!mayManage(member.role, asker.role)) return false
    const right = compileRight(member, grants, labels, now)
    // Owners can give what they do not have.
    if (place === null) return member.role === 'owner' || seesAnything(right)
    const lending = compileLending(member, lent.loans, lent.labels, now)
    return keys.some((key) => mayUse(key, member.userId, lending, place)) && isSeen(right, place)
  })
  return able.map(({ user }) => user)
}
