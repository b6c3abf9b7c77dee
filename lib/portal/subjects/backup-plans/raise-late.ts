/** Notifies once of each site whose copy is late, and once when it is copied again. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import { needOf } from '@/lib/portal/access/grants/needs'
import { may } from '@/lib/portal/access/roles'
import { findSiteMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { notify } from '@/lib/portal/notifications/notify'
import { type CoveredSite, listCovered } from './coverage'

/** Who may know of copies elsewhere. */
export const readersOfCopies = { isFor: (role: Role) => may(role, 'teamConnections', 'read'), need: needOf(backups.list) }

/** How long after a site was reported as late its next good copy is reported. */
const rememberedMs = 30 * 86_400_000

export async function raiseLateCopies(now: Date): Promise<void> {
  const covered = await listCovered({}, now)
  await raiseLate(covered, now)
  await raiseGood(now)
}

async function raiseLate(covered: readonly CoveredSite[], now: Date): Promise<void> {
  for (const site of covered) {
    if (!site.isLate) continue
    const { id, teamId, serverId, domain, since, lastGoodAt } = site
    const onceKey = `copy_late ${id} ${since.toISOString()}`
    if (await isReported(onceKey)) continue
    const userIds = await findSiteMembers(teamId, { siteId: id, serverId }, readersOfCopies)
    const detail = { name: domain, at: lastGoodAt?.toISOString() ?? '' }
    await notify({ teamId, userIds, kind: 'copy_late', onceKey, subject: { kind: 'site', id }, detail, at: now })
  }
}

/** For each site that was reported as late and has a good copy since then. */
async function raiseGood(now: Date): Promise<void> {
  const where = { kind: 'copy_late', createdAt: { gt: new Date(now.getTime() - rememberedMs) } } as const
  const select = { onceKey: true, subjectId: true, createdAt: true } as const
  for (const { onceKey, subjectId, createdAt } of await db().notification.findMany({ where, distinct: ['onceKey'], select })) {
    const siteId = subjectId ?? ''
    if (await isReported(`good ${onceKey}`)) continue
    if ((await db().backupCopy.count({ where: { siteId, state: 'done', endedAt: { gt: createdAt } } })) === 0) continue
    const site = await db().site.findFirst({ where: { id: siteId, goneAt: null } })
    if (!site) continue
    const userIds = await findSiteMembers(site.teamId, { siteId, serverId: site.serverId }, readersOfCopies)
    const event = { teamId: site.teamId, userIds, kind: 'copy_good', onceKey: `good ${onceKey}` } as const
    await notify({ ...event, subject: { kind: 'site', id: siteId }, detail: { name: site.domain }, at: now })
  }
}

const isReported = async (onceKey: string): Promise<boolean> => (await db().notification.count({ where: { onceKey } })) > 0
