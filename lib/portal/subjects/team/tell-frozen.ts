/** Tells owners and admins which connections Gatehouse froze because their owner is no member any more. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'

/** requestId: of the change that froze them. */
export async function tellFrozen({ userId, teamId }: { userId: string; teamId: string }, requestId: string): Promise<void> {
  const where = { teamId, ownerId: userId, frozenById: null, frozenAt: { not: null } }
  const connections = await db().connection.findMany({ where, select: { id: true, label: true } })
  const userIds = await findMembers(teamId, ['owner', 'admin'])
  for (const { id, label } of connections) {
    const subject = { kind: 'connection', id } as const
    await notify({ teamId, userIds, kind: 'key_frozen', onceKey: `frozen:${id}:${requestId}`, subject, detail: { label } })
  }
}
