/** Notifies owners and admins, and the owner, of connections that Gatehouse froze because their owner may not use them any more. */
import 'server-only'
import { roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'

/** ids: of the frozen connections. Not for an owner who has left the team, nor for `by`, who made the change and read it there. */
export async function notifyFrozen(
  teamId: string,
  ids: readonly string[],
  { requestId, by }: { requestId: string; by?: string },
): Promise<void> {
  if (ids.length === 0) return
  const connections = await db().connection.findMany({
    where: { teamId, id: { in: [...ids] } },
    select: { id: true, label: true, ownerId: true },
  })
  const [keepers, members] = [await findMembers(teamId, ['owner', 'admin']), await findMembers(teamId, roles)]
  for (const { id, label, ownerId } of connections) {
    const userIds = members.filter((userId) => userId !== by && (userId === ownerId || keepers.includes(userId)))
    const subject = { kind: 'connection', id } as const
    await notify({ teamId, userIds, kind: 'key_frozen', onceKey: `frozen:${id}:${requestId}`, subject, detail: { label } })
  }
}
