/** Which members see a server, or a site. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { compileRight, isAllowed, isSeen } from './grants/compile'
import type { Need, Place } from './grants/grant'
import { readTeamGrants } from './grants/read'
import { compileLending, mayUse } from './loans/compile'
import { readTeamLoans } from './loans/read'

/** Only members with such a role, who may do that there. */
type Only = { isFor: (role: Role) => boolean; need: Need }

/**
 * Their ids: of those whose grants include it, everyone if a connection of the team lists it, else the members whose own one does, or to whom
 * one is lent for it.
 */
export async function findServerMembers(teamId: string, serverId: string, only?: Only): Promise<string[]> {
  const select = { connection: { select: { id: true, ownerId: true } } } as const
  const links = await db().serverOnConnection.findMany({ where: { serverId, connection: { teamId } }, select })
  return findSeeing(teamId, { place: { kind: 'server', serverId }, links, only })
}

/** The same for a site. */
export async function findSiteMembers(
  teamId: string,
  { siteId, serverId }: { siteId: string; serverId: string | null },
  only?: Only,
): Promise<string[]> {
  const select = { connection: { select: { id: true, ownerId: true } } } as const
  const links = await db().siteOnConnection.findMany({ where: { siteId, connection: { teamId } }, select })
  return findSeeing(teamId, { place: { kind: 'site', siteId, serverId }, links, only })
}

type Seen = { place: Place; links: readonly { connection: Parameters<typeof mayUse>[0] }[]; only: Only | undefined }

async function findSeeing(teamId: string, { place, links, only }: Seen): Promise<string[]> {
  const [members, { grants, labels }, lent] = await Promise.all([
    db().membership.findMany({
      where: { teamId, user: { disabledAt: null }, ...lastingMemberships() },
      select: { userId: true, role: true },
    }),
    readTeamGrants(teamId),
    readTeamLoans(teamId),
  ])
  const now = Date.now()
  const sees = (member: (typeof members)[number]) => {
    const right = compileRight(member, grants, labels, now)
    if (!isSeen(right, place)) return false
    if (only && !(only.isFor(member.role) && isAllowed(right, only.need, place))) return false
    const lending = compileLending(member, lent.loans, lent.labels, now)
    return links.some(({ connection }) => mayUse(connection, member.userId, lending, place, only?.need))
  }
  return members.filter(sees).map(({ userId }) => userId)
}
