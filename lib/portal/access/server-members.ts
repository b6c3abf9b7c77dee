/** Which members see a server. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { compileRight, isSeen } from './grants/compile'
import { readTeamGrants } from './grants/read'

/** Their ids: of those whose grants include it, everyone if a connection of the team lists it, else the members whose own one does. */
export async function findServerMembers(teamId: string, serverId: string): Promise<string[]> {
  const [members, { grants, labels }, links] = await Promise.all([
    db().membership.findMany({
      where: { teamId, user: { disabledAt: null }, ...lastingMemberships() },
      select: { userId: true, role: true },
    }),
    readTeamGrants(teamId),
    db().serverOnConnection.findMany({
      where: { serverId, connection: { teamId } },
      select: { connection: { select: { ownerId: true } } },
    }),
  ])
  const owners = new Set(links.map(({ connection }) => connection.ownerId))
  const listed = owners.has(null) ? members : members.filter(({ userId }) => owners.has(userId))
  const now = Date.now()
  const sees = (member: (typeof members)[number]) => isSeen(compileRight(member, grants, labels, now), { kind: 'server', serverId })
  return listed.filter(sees).map(({ userId }) => userId)
}
