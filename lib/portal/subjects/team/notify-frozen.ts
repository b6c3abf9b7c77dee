/** Notifies owners and admins, and the owner, of what Gatehouse froze because its owner may not use it any more. */
import 'server-only'
import { roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import { notifyFrozenTargets } from './freeze-backup-targets'
import type { Frozen } from './withdraw'

/** Not for an owner who has left the team, nor for `by`, who made the change and read it there. */
export async function notifyFrozen(
  teamId: string,
  { connections: ids, targets }: Frozen,
  { requestId, by }: { requestId: string; by?: string },
): Promise<void> {
  await notifyFrozenTargets(teamId, targets, by)
  if (ids.length === 0) return
  const connections = await db().connection.findMany({
    where: { teamId, id: { in: [...ids] } },
    select: { id: true, label: true, ownerId: true },
  })
  const [keepers, members] = [await findMembers(teamId, ['owner', 'admin']), await findMembers(teamId, roles)]
  for (const { id, label, ownerId } of connections) {
    const userIds = members.filter((each) => each !== by && (each === ownerId || keepers.includes(each)))
    const subject = { kind: 'connection', id } as const
    await notify({ teamId, userIds, kind: 'key_frozen', onceKey: `frozen:${id}:${requestId}`, subject, detail: { label } })
  }
}
