/** Notifies once of each site and server whose copy is late, and once when it is copied again. */
import 'server-only'
import { backups } from '@/lib/contract/operations/backups'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { needOf } from '@/lib/portal/access/grants/needs'
import { may } from '@/lib/portal/access/roles'
import { findServerMembers, findSiteMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import type { Role } from '@/lib/portal/identity/actor'
import { notify } from '@/lib/portal/notifications/notify'
import type { CopySubject } from '../backup-targets/subject'
import { type Covered, listCovered, listCoveredServers } from './coverage'

/** Who may know of copies elsewhere. */
export const readersOfCopies = { isFor: (role: Role) => may(role, 'teamConnections', 'read'), need: needOf(backups.list) }

/** The same of copies of servers themselves. */
export const readersOfServerCopies = { ...readersOfCopies, need: needOf(serverBackups.list) }

/** How long after it was reported as late its next good copy is reported. */
const rememberedMs = 30 * 86_400_000

export async function raiseLateCopies(now: Date): Promise<void> {
  await raiseLate([...(await listCovered({}, now)), ...(await listCoveredServers({}, now))], now)
  await raiseGood(now)
}

type Told = CopySubject & { teamId: string; serverId: string | null }

const findMembers = ({ kind, id, teamId, serverId }: Told): Promise<string[]> =>
  kind === 'site'
    ? findSiteMembers(teamId, { siteId: id, serverId }, readersOfCopies)
    : findServerMembers(teamId, id, readersOfServerCopies)

async function raiseLate(covered: readonly Covered[], now: Date): Promise<void> {
  for (const each of covered) {
    if (!each.isLate) continue
    const { kind, id, teamId, name, since, lastGoodAt } = each
    const onceKey = `copy_late ${id} ${since.toISOString()}`
    if (await isReported(onceKey)) continue
    const detail = { name, at: lastGoodAt?.toISOString() ?? '' }
    await notify({ teamId, userIds: await findMembers(each), kind: 'copy_late', onceKey, subject: { kind, id }, detail, at: now })
  }
}

/** For each site or server that was reported as late and has a good copy since then. */
async function raiseGood(now: Date): Promise<void> {
  const where = { kind: 'copy_late', createdAt: { gt: new Date(now.getTime() - rememberedMs) } } as const
  const select = { onceKey: true, subjectKind: true, subjectId: true, createdAt: true } as const
  for (const { onceKey, subjectKind, subjectId, createdAt } of await db().notification.findMany({ where, distinct: ['onceKey'], select })) {
    const id = subjectId ?? ''
    if (await isReported(`good ${onceKey}`)) continue
    if ((await db().backupCopy.count({ where: { siteId: id, state: 'done', endedAt: { gt: createdAt } } })) === 0) continue
    const found = await findNamed({ kind: subjectKind === 'server' ? 'server' : 'site', id })
    if (!found) continue
    const { kind, teamId, name } = found
    const event = { teamId, userIds: await findMembers(found), kind: 'copy_good', onceKey: `good ${onceKey}` } as const
    await notify({ ...event, subject: { kind, id }, detail: { name }, at: now })
  }
}

/** Null once it is gone. */
async function findNamed({ kind, id }: CopySubject): Promise<(Told & { name: string }) | null> {
  if (kind === 'site') {
    const site = await db().site.findFirst({ where: { id, goneAt: null } })
    return site && { kind, id, teamId: site.teamId, serverId: site.serverId, name: site.domain }
  }
  const server = await db().server.findFirst({ where: { id, goneAt: null } })
  return server && { kind, id, teamId: server.teamId, serverId: id, name: server.name }
}

const isReported = async (onceKey: string): Promise<boolean> => (await db().notification.count({ where: { onceKey } })) > 0
