/** Freezes the backup targets of a member who may not keep them any more, and notifies those who keep the team’s. */
import 'server-only'
import { roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import type { Prisma } from '@/prisma/generated/portal/client'

/** Its keys stay sealed: its owner may return. The caller has written before. Returns the ids of those that were frozen. */
export async function freezeBackupTargets(
  tx: Prisma.TransactionClient,
  { userId, teamId }: { userId: string; teamId: string },
): Promise<string[]> {
  const where = { teamId, ownerId: userId, frozenAt: null }
  const frozen = await tx.backupTarget.findMany({ where, select: { id: true } })
  await tx.backupTarget.updateMany({ where, data: { frozenAt: new Date() } })
  return frozen.map(({ id }) => id)
}

/** ids: of the frozen targets. Notifies their owner too, if still a member; not `by`, who made the change and read it there. */
export async function notifyFrozenTargets(teamId: string, ids: readonly string[], by?: string): Promise<void> {
  if (ids.length === 0) return
  const where = { teamId, id: { in: [...ids] }, frozenAt: { not: null } }
  const frozen = await db().backupTarget.findMany({ where, include: { owner: { select: { name: true } } } })
  const [keepers, members] = [await findMembers(teamId, ['owner', 'admin']), await findMembers(teamId, roles)]
  for (const { id, label, ownerId, frozenAt, owner } of frozen) {
    await notify({
      teamId,
      userIds: members.filter((each) => each !== by && (each === ownerId || keepers.includes(each))),
      kind: 'backup_target_frozen',
      onceKey: `backup target frozen ${id} ${frozenAt?.getTime()}`,
      subject: { kind: 'team', id: teamId },
      detail: { label, name: owner?.name ?? '' },
    })
  }
}
