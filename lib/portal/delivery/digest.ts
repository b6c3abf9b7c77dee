/** The daily summary: when it is due, and what it says to a member. */
import 'server-only'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { findGranted } from '@/lib/portal/access/decide'
import { serversVisibleTo, sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { type LocalTime, localTime } from '@/lib/portal/base/local-time'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { jobsVisibleTo } from '@/lib/portal/jobs/visible'
import { type Covered, listCovered, listCoveredServers } from '@/lib/portal/subjects/backup-plans/coverage'
import { findBad } from '@/lib/portal/subjects/backup-targets/bad-copies'
import { findListable, seesTargets } from '@/lib/portal/views/backups/copies'
import { toReadableDomain } from '@/lib/text/idn'
import type { Channel } from '@/prisma/generated/portal/client'

const dayMs = 24 * 60 * 60_000

/** The days around one, YYYY-MM-DD. */
const dayAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The newest day whose time for the summary is over: today, or yesterday, so that one of shortly before midnight is made after it. */
function newestDue(digestAt: number, { day, minute }: LocalTime): string {
  return minute >= digestAt ? day : dayAfter(day, -1)
}

/** The day on which the newest summary of this channel counts as made: the first one is that of the next time. */
export function firstDigestedOn({ digestAt, timeZone }: Pick<Channel, 'digestAt' | 'timeZone'>, now: Date): string {
  return digestAt === null ? '' : newestDue(digestAt, localTime(now, timeZone))
}

/** Makes the summaries that are due: one a day for each channel, however late. One that still waits is replaced by the newer one. */
export async function startDigests(now: Date): Promise<void> {
  const channels = await db().channel.findMany({ where: { offAt: null, digestAt: { not: null } } })
  for (const { id, digestAt, digestedOn, timeZone } of channels) {
    if (digestAt === null) continue
    const local = localTime(now, timeZone)
    const due = newestDue(digestAt, local)
    // A mark from the future was set while the clock was wrong. One of tomorrow may be one that was only a little fast.
    if (digestedOn >= due && digestedOn <= dayAfter(local.day, 1)) continue
    await startDigest({ id, digestedOn, due }, now)
  }
}

/** Together with its mark, so that a crash between them loses no summary. */
async function startDigest({ id, digestedOn, due }: Pick<Channel, 'id' | 'digestedOn'> & { due: string }, now: Date): Promise<void> {
  await db().$transaction(async (tx) => {
    const taken = await tx.channel.updateMany({ where: { id, digestedOn }, data: { digestedOn: due } })
    if (taken.count === 0) return
    const older = { channelId: id, kind: 'digest', state: 'waiting' } as const
    await tx.delivery.updateMany({ where: older, data: { state: 'dropped', endedAt: now, answer: 'A newer summary replaced it.' } })
    await tx.delivery.create({ data: { id: createOpaqueId(), channelId: id, kind: 'digest', createdAt: now, dueAt: now } })
  })
}

/** Only of what the member sees; empty if that is nothing. */
export async function writeDigest(member: Person, now: Date): Promise<string[]> {
  const servers = await db().server.findMany({
    where: await serversVisibleTo(member),
    select: { id: true, name: true, findings: { select: { kind: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  const since = { gt: new Date(now.getTime() - dayMs), lte: now }
  const jobs = await jobsVisibleTo(member)
  const failed = await db().job.count({ where: { AND: [jobs, { state: 'failed', endedAt: since }] } })
  const having = (kind: string) =>
    servers.filter(({ findings }) => findings.some((finding) => finding.kind === kind)).map(({ name }) => name)
  return [
    await sayBackups(member, now),
    ...(await sayCopies(member, now)),
    sayUnreachable(having('unreachable'), servers.length),
    sayServers(having('security_updates'), 'security updates waiting'),
    sayServers(having('failing_certificates'), 'certificates that could not be renewed'),
    sayServers(having('reboot_required'), 'updates that take effect after a reboot'),
    failed === 0 ? '' : `${failed} ${failed === 1 ? 'job' : 'jobs'} failed in the last 24 hours.`,
  ].filter((line) => line !== '')
}

/** Of the sites on servers that tell of their nightly backups, which back up every site or fail. */
async function sayBackups(member: Person, now: Date): Promise<string> {
  const seen = {
    AND: [await jobsVisibleTo(member), { operation: 'event.backup', startedAt: { gt: new Date(now.getTime() - 30 * dayMs), lte: now } }],
  }
  const runs = await db().job.findMany({ where: seen, select: { serverId: true, state: true, startedAt: true } })
  const made = runs.filter(({ state, startedAt }) => state === 'done' && now.getTime() - startedAt.getTime() <= dayMs)
  const [telling, backedUp] = [runs, made].map((some) => new Set(some.flatMap(({ serverId }) => serverId ?? [])))
  const sites = await db().site.findMany({ where: await sitesVisibleTo(member), select: { serverId: true } })
  const of = sites.filter(({ serverId }) => telling?.has(serverId ?? ''))
  if (of.length === 0) return ''
  return `${of.filter(({ serverId }) => backedUp?.has(serverId ?? '')).length} of ${of.length} ${of.length === 1 ? 'site' : 'sites'} backed up.`
}

/** How many of the sites and servers with a schedule were copied elsewhere, and which are late. Only those of which the member may list the backups. */
async function sayCopies(member: Person, now: Date): Promise<string[]> {
  const sites = await listCovered(await sitesVisibleTo(member), now)
  const servers = seesTargets(member) ? await listCoveredServers(await serversVisibleTo(member), now) : []
  const mayList = await findListable(member, () => sites.map(({ id }) => id))
  const granted = await findGranted(
    member,
    serverBackups.list,
    'server',
    servers.map(({ id }) => id),
  )
  return [
    await sayCopied(
      sites.filter(({ id }) => mayList(id)),
      'site',
    ),
    await sayCopied(
      servers.filter(({ id }) => granted.has(id)),
      'server',
    ),
  ]
}

async function sayCopied(covered: readonly Covered[], noun: string): Promise<string> {
  if (covered.length === 0) return ''
  const late = covered.filter(({ isLate }) => isLate)
  const good = `${covered.length - late.length} of ${covered.length} ${covered.length === 1 ? noun : `${noun}s`} copied elsewhere`
  const bad = await findBad(covered.map(({ id }) => id))
  const badNames = covered.filter(({ id }) => bad.has(id)).map(({ name }) => toReadableDomain(name))
  const alarm = badNames.length === 0 ? '' : ` ${badNames.length} bad ${badNames.length === 1 ? 'copy' : 'copies'}: ${listNames(badNames)}.`
  return late.length === 0
    ? `${good}.${alarm}`
    : `${good}, ${late.length} late: ${listNames(late.map(({ name }) => toReadableDomain(name)))}.${alarm}`
}

function sayUnreachable(names: readonly string[], all: number): string {
  if (all === 0) return ''
  if (names.length === 0) return all === 1 ? 'The server is reachable.' : `All ${all} servers are reachable.`
  return `${names.length} of ${all} ${all === 1 ? 'server' : 'servers'} unreachable: ${listNames(names)}.`
}

const sayServers = (names: readonly string[], what: string): string =>
  names.length === 0 ? '' : `${names.length} ${names.length === 1 ? 'server has' : 'servers have'} ${what}: ${listNames(names)}.`

const maxNames = 5

const listNames = (names: readonly string[]): string =>
  names.length <= maxNames ? names.join(', ') : `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`
