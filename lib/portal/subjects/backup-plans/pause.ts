/** Pauses a schedule of copies that no longer works, and notifies the member who set it and the owners of the team, once. */
import 'server-only'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify } from '@/lib/portal/notifications/notify'
import type { BackupPlan } from '@/prisma/generated/portal/client'
import { placeOf } from './plans'

/** why: a sentence, with what to do. Does nothing if the plan was paused or set again since it was read. */
export async function pausePlan(plan: BackupPlan, why: string): Promise<void> {
  const { id, teamId, setById, setAt } = plan
  const { count } = await db().backupPlan.updateMany({ where: { id, setAt, pausedBecause: '' }, data: { pausedBecause: why } })
  if (count === 0) return
  const [object, name] = [placeOf(plan), await nameOf(plan)]
  const event = { teamId, actor: { kind: 'gatehouse' }, action: 'backupPlan.pause', object, stage: 'event', outcome: 'done' } as const
  await recordAudit({ ...event, detail: { name, why } })
  const [owners, members] = await Promise.all([
    findMembers(teamId, ['owner']),
    findMembers(teamId, ['admin', 'operator', 'viewer', 'guest']),
  ])
  const userIds = [...owners, ...members.filter((each) => each === setById)]
  const onceKey = `copies_paused ${id} ${setAt.toISOString()}`
  await notify({ teamId, userIds, kind: 'copies_paused', onceKey, subject: object, detail: { name, why } })
}

/** Of the server or site; empty for the team. */
async function nameOf({ serverId, siteId }: BackupPlan): Promise<string> {
  if (siteId !== null) return (await db().site.findUnique({ where: { id: siteId } }))?.domain ?? ''
  return serverId === null ? '' : ((await db().server.findUnique({ where: { id: serverId } }))?.name ?? '')
}
