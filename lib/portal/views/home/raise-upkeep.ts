/** Notifies of what was not done on servers: nightly backups, security updates, renewals of certificates. Once for each. */
import 'server-only'
import { findServerMembers, findSiteMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
import { minuteOf } from '@/lib/portal/subjects/samples/sample'
import { updatesMs } from './upkeep-limits'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A nightly backup is late after a night without one. */
const lateMs = 36 * hourMs
/** A server that made its last backup longer ago was told of, or was never watched. */
const rememberedMs = 14 * dayMs
/** Certificates are renewed 30 days before they end. */
const certificateMs = 14 * dayMs

async function findReported(keys: readonly string[]): Promise<Set<string>> {
  const reported = await db().notification.findMany({ where: { onceKey: { in: [...keys] } }, select: { onceKey: true } })
  return new Set(reported.map(({ onceKey }) => onceKey))
}

/**
 * For servers that tell of their nightly backups, and were checked lately: what an unreachable one did is unknown. A failed backup was
 * announced itself. The next backup re-arms it.
 */
export async function raiseLateBackups(now: Date): Promise<void> {
  const [late, oldest] = [new Date(now.getTime() - lateMs), new Date(now.getTime() - rememberedMs)]
  const newest = await db().job.groupBy({
    by: ['serverId'],
    where: { operation: 'event.backup', startedAt: { gt: oldest }, serverId: { not: null } },
    _max: { startedAt: true },
  })
  const overdue = newest.flatMap(({ serverId, _max: { startedAt } }) =>
    serverId !== null && startedAt !== null && startedAt < late
      ? [{ serverId, at: startedAt, onceKey: `backup_late ${serverId} ${startedAt.toISOString()}` }]
      : [],
  )
  const reported = await findReported(overdue.map(({ onceKey }) => onceKey))
  for (const { serverId, at, onceKey } of overdue) {
    if (reported.has(onceKey) || !(await wasChecked(serverId, now))) continue
    const server = await db().server.findFirst({ where: { id: serverId, goneAt: null }, select: { id: true, teamId: true, name: true } })
    if (server) await notifyOf(server, 'backup_late', onceKey, { at: at.toISOString() }, now)
  }
}

/** Long enough ago that what the server told then is stored. */
async function wasChecked(serverId: string, now: Date): Promise<boolean> {
  const at = { gte: minuteOf(now.getTime() - hourMs), lte: minuteOf(now.getTime()) - 10 }
  return (await db().sample.count({ where: { serverId, reachable: true, at } })) > 0
}

export async function raiseWaitingUpdates(now: Date): Promise<void> {
  const findings = await db().finding.findMany({
    where: { kind: 'security_updates', since: { lte: new Date(now.getTime() - updatesMs) }, server: { goneAt: null } },
    include: { server: { select: { id: true, teamId: true, name: true } } },
  })
  const keyOf = ({ serverId, since }: (typeof findings)[number]) => `updates_waiting ${serverId} ${since.toISOString()}`
  const reported = await findReported(findings.map(keyOf))
  for (const finding of findings) {
    if (reported.has(keyOf(finding))) continue
    await notifyOf(finding.server, 'updates_waiting', keyOf(finding), { count: Number(finding.detail) }, now)
  }
}

/**
 * Of sites with SSL. A new certificate has another end, which re-arms it. All of one day at once, although each was issued at another minute,
 * so that they are one message.
 */
export async function raiseCertificateEndings(now: Date): Promise<void> {
  const sites = await db().site.findMany({
    where: { goneAt: null, ssl: 'on', expires: { not: '' } },
    select: { id: true, teamId: true, serverId: true, domain: true, expires: true },
  })
  const ending = sites.flatMap((site) => {
    const end = Date.parse(site.expires)
    return end > now.getTime() && startOfDay(end) <= startOfDay(now.getTime() + certificateMs)
      ? [{ ...site, onceKey: `certificate_ending ${site.id} ${site.expires}` }]
      : []
  })
  const reported = await findReported(ending.map(({ onceKey }) => onceKey))
  for (const { id, teamId, serverId, domain, expires, onceKey } of ending) {
    if (reported.has(onceKey)) continue
    const userIds = await findSiteMembers(teamId, { siteId: id, serverId })
    const detail = { name: domain, endsAt: new Date(expires).toISOString() }
    await notify({ teamId, userIds, kind: 'certificate_ending', onceKey, subject: { kind: 'site', id }, detail, at: now })
  }
}

/** In UTC, as the sentence says it. */
const startOfDay = (at: number): number => at - (at % dayMs)

async function notifyOf(
  { id, teamId, name }: { id: string; teamId: string; name: string },
  kind: 'backup_late' | 'updates_waiting',
  onceKey: string,
  more: Readonly<Record<string, string | number>>,
  at: Date,
): Promise<void> {
  const userIds = await findServerMembers(teamId, id)
  await notify({ teamId, userIds, kind, onceKey, subject: { kind: 'server', id }, detail: { name, ...more }, at })
}
