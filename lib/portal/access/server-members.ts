/** Which members see a server. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'

/** Their ids: everyone if a connection of the team lists it, else the members whose own one does. */
export async function findServerMembers(teamId: string, serverId: string): Promise<string[]> {
  const [members, links] = await Promise.all([
    findMembers(teamId, ['owner', 'admin', 'operator', 'viewer']),
    db().serverOnConnection.findMany({
      where: { serverId, connection: { teamId } },
      select: { connection: { select: { ownerId: true } } },
    }),
  ])
  const owners = new Set(links.map(({ connection }) => connection.ownerId))
  return owners.has(null) ? members : members.filter((userId) => owners.has(userId))
}
