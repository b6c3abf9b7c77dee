/** Which members see a server, or a site. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { compileRight, isSeen } from './grants/compile'
import type { Place } from './grants/grant'
import { readTeamGrants } from './grants/read'
import { compileLending, mayUse } from './loans/compile'
import { readTeamLoans } from './loans/read'

/**
 * Their ids: of those whose grants include it, everyone if a connection of the team lists it, else the members whose own one does, or to whom
 * one is lent for it.
 */
export async function findServerMembers(teamId: string, serverId: string): Promise<string[]> {
  const select = { connection: { select: { id: true, ownerId: true } } } as const
  const links = await db().serverOnConnection.findMany({ where: { serverId, connection: { teamId } }, select })
  return findSeeing(teamId, { kind: 'server', serverId }, links)
}

/** The same for a site. */
export async function findSiteMembers(
  teamId: string,
  { siteId, serverId }: { siteId: string; serverId: string | null },
): Promise<string[]> {
  const select = { connection: { select: { id: true, ownerId: true } } } as const
  const links = await db().siteOnConnection.findMany({ where: { siteId, connection: { teamId } }, select })
  return findSeeing(teamId, { kind: 'site', siteId, serverId }, links)
}

type Link = { connection: Parameters<typeof mayUse>[0] }

async function findSeeing(teamId: string, place: Place, links: readonly Link[]): Promise<string[]> {
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
    if (!isSeen(compileRight(member, grants, labels, now), place)) return false
    const lending = compileLending(member, lent.loans, lent.labels, now)
    return links.some(({ connection }) => mayUse(connection, member.userId, lending, place))
  }
  return members.filter(sees).map(({ userId }) => userId)
}
