/** Turns what Home knows, and memberships, access and loans that end soon, into notifications: once per event. */
import 'server-only'
import { findServerMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import { leadRounds } from '@/lib/portal/base/portals/rounds'
import { findMembers } from '@/lib/portal/identity/membership'
import { notify, notifyAll } from '@/lib/portal/notifications/notify'
import { failingIn } from '@/lib/portal/subjects/findings/failing-certificates'
import { listFullDisksOf } from '../history/full-disks'
import { raiseAccessEndings, raiseLoanEndings } from './raise-access'
import { raiseCertificateEndings, raiseLateBackups, raiseWaitingUpdates } from './raise-upkeep'

const minute = 60_000
const unreachableMs = 5 * minute
const endingMs = 7 * 24 * 60 * minute
// An outage that lasted longer is not reported as over: nobody waits for it any more.
const rememberedMs = 30 * 24 * 60 * minute

export const raiseRegularly = (): void => leadRounds({ everyMs: minute, failure: 'notifications could not be stored', work: () => raise() })

export async function raise(now = new Date()): Promise<void> {
  await raiseUnreachable(now)
  await raiseReachable(now)
  await raiseFullDisks(now)
  await raiseFailingCertificates()
  await raiseEndings(now)
  await raiseAccessEndings(now)
  await raiseLoanEndings(now)
  await raiseLateBackups(now)
  await raiseWaitingUpdates(now)
  await raiseCertificateEndings(now)
}

const keyOf = (serverId: string, since: Date): string => `${serverId} ${since.toISOString()}`

/** The keys of events that somebody was notified of; notifying again would be ignored, but costs a write for each. */
async function findReported(keys: readonly string[]): Promise<Set<string>> {
  const reported = await db().notification.findMany({ where: { onceKey: { in: [...keys] } }, select: { onceKey: true } })
  return new Set(reported.map(({ onceKey }) => onceKey))
}

async function raiseUnreachable(now: Date): Promise<void> {
  const findings = await db().finding.findMany({
    where: { kind: 'unreachable', since: { lte: new Date(now.getTime() - unreachableMs) }, server: { goneAt: null } },
    include: { server: { select: { id: true, teamId: true, name: true } } },
  })
  const reported = await findReported(findings.map(({ serverId, since }) => `unreachable ${keyOf(serverId, since)}`))
  for (const { server, since } of findings) {
    const onceKey = `unreachable ${keyOf(server.id, since)}`
    if (!reported.has(onceKey)) await notifyServerMembers(server, 'server_unreachable', onceKey)
  }
}

/** For each outage that is over: those who were notified of it. */
async function raiseReachable(now: Date): Promise<void> {
  const where = { kind: 'server_unreachable', createdAt: { gt: new Date(now.getTime() - rememberedMs) } } as const
  const outages = await db().notification.findMany({ where, distinct: ['onceKey'], select: { onceKey: true, subjectId: true } })
  if (outages.length === 0) return
  const lasting = await db().finding.findMany({ where: { kind: 'unreachable' }, select: { serverId: true, since: true } })
  const still = new Set(lasting.map(({ serverId, since }) => `unreachable ${keyOf(serverId, since)}`))
  const over = outages.filter(({ onceKey }) => !still.has(onceKey))
  const reported = await findReported(over.map(({ onceKey }) => `back ${onceKey}`))
  for (const { onceKey, subjectId } of over) {
    if (reported.has(`back ${onceKey}`)) continue
    const server = await db().server.findFirst({ where: { id: subjectId ?? '', goneAt: null } })
    if (server) await notifyServerMembers(server, 'server_reachable', `back ${onceKey}`)
  }
}

/** `since` moves when old samples are thinned out, so a disk is announced once as long as it stays at that level. */
async function raiseFullDisks(now: Date): Promise<void> {
  for (const { id: teamId } of await db().team.findMany({ select: { id: true } })) {
    const connections = await db().connection.findMany({ where: { teamId }, select: { id: true } })
    const disks = await listFullDisksOf({ teamId, connectionIds: connections.map(({ id }) => id) }, now.getTime())
    for (const { id, name, days, since } of disks) {
      const from = new Date(since ?? now)
      const reported = { kind: 'disk_full_soon', subjectId: id, createdAt: { gte: from } } as const
      if ((await db().notification.count({ where: reported })) > 0) continue
      await notifyServerMembers({ id, teamId, name }, 'disk_full_soon', `disk ${keyOf(id, from)}`, days === null ? {} : { days })
    }
  }
}

/** Once for each domain as long as its server has any that fail: another one is announced when it joins them. */
async function raiseFailingCertificates(): Promise<void> {
  const findings = await db().finding.findMany({
    where: { kind: 'failing_certificates', server: { goneAt: null } },
    include: { server: { select: { id: true, teamId: true, name: true } } },
  })
  for (const { server, since, detail } of findings) {
    const onceKey = `certificates ${keyOf(server.id, since)} `
    const rows = await db().notification.findMany({ where: { onceKey: { startsWith: onceKey } }, select: { onceKey: true } })
    const reported = new Set(rows.flatMap((row) => failingIn(row.onceKey.slice(onceKey.length))))
    const domains = failingIn(detail)
      .filter((domain) => !reported.has(domain))
      .join(', ')
    if (domains !== '') await notifyServerMembers(server, 'certificates_failing', `${onceKey}${domains}`, { domains })
  }
}

type NamedServer = { id: string; teamId: string; name: string }

async function notifyServerMembers(
  { id, teamId, name }: NamedServer,
  kind: 'server_unreachable' | 'server_reachable' | 'disk_full_soon' | 'certificates_failing',
  onceKey: string,
  more: Readonly<Record<string, string | number>> = {},
): Promise<void> {
  const userIds = await findServerMembers(teamId, id)
  await notify({ teamId, userIds, kind, onceKey, subject: { kind: 'server', id }, detail: { name, ...more } })
}

/** The member, and those who manage the team. */
async function raiseEndings(now: Date): Promise<void> {
  const memberships = await db().membership.findMany({
    where: { endsAt: { gt: now, lte: new Date(now.getTime() + endingMs) }, user: { disabledAt: null } },
    include: { user: { select: { name: true } } },
  })
  for (const { userId, teamId, endsAt, user } of memberships) {
    const onceKey = `membership_ending ${userId} ${endsAt?.toISOString()}`
    if ((await findReported([onceKey])).size > 0) continue
    const event = { teamId, kind: 'membership_ending', onceKey, subject: { kind: 'user', id: userId } } as const
    const detail = { endsAt: endsAt?.toISOString() ?? '' }
    const managers = await findMembers(teamId, ['owner', 'admin'])
    await notifyAll([
      { ...event, userIds: [userId], detail },
      { ...event, userIds: managers.filter((id) => id !== userId), detail: { ...detail, name: user.name } },
    ])
  }
}
