/** Freezes the backup targets of a member who may not keep them any more, and notifies those who keep the team’s. */
import 'server-only'
import { roles } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import type { Prisma } from '@/prisma/generated/portal/client'

/** What is there stays, with the credentials that read it: copies outlast whoever set up their target. The caller has written before. */
export async function freezeBackupTargets(
  tx: Prisma.TransactionClient,
  { userId, teamId }: { userId: string; teamId: string },
): Promise<void> {
  await tx.backupTarget.updateMany({ where: { teamId, ownerId: userId, frozenAt: null }, data: { frozenAt: new Date() } })
}

/** Each freezing once, however often this runs; also for its owner, if still a member. Not for `by`, who made the change and read it there. */
export async function notifyFrozenTargets(teamId: string, userId: string, by?: string): Promise<void> {
  const where = { teamId, ownerId: userId, frozenAt: { not: null } }
  const frozen = await db().backupTarget.findMany({ where, include: { owner: { select: { name: true } } } })
  if (frozen.length === 0) return
  const [keepers, members] = [await findMembers(teamId, ['owner', 'admin']), await findMembers(teamId, roles)]
  for (const { id, label, frozenAt, owner } of frozen) {
    await notify({
      teamId,
      userIds: members.filter((each) => each !== by && (each === userId || keepers.includes(each))),
      kind: 'backup_target_frozen',
      onceKey: `backup target frozen ${id} ${frozenAt?.getTime()}`,
      subject: { kind: 'team', id: teamId },
      detail: { label, name: owner?.name ?? '' },
    })
  }
}
