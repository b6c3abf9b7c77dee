/** Which sites and servers have a schedule of copies, and whether their newest copy is late. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'
import type { CopySubject } from '../backup-targets/subject'
import { copyable, createPlanOf, findPlannedServers, plannedSite, takesServers } from './plans'

const hourMs = 3_600_000

/** A day, and two hours for copies that begin later or take longer. */
const lateMs = 26 * hourMs

/** since: when the newest good copy was made, or the schedule began if that was later. lastGoodAt: null if there is none. */
type Lateness = { isLate: false } | { isLate: true; since: Date; lastGoodAt: Date | null }

/** name: the domain of a site. */
type Subject = CopySubject & { teamId: string; serverId: string | null; name: string }

export type Covered = Subject & Lateness

/** Sites that are excluded or have no schedule are left out. A paused schedule covers its sites: their copies become late. */
export async function listCovered(where: Prisma.SiteWhereInput, now: Date): Promise<Covered[]> {
  const plans = await readPlans()
  if (plans.every(({ excluded }) => excluded)) return []
  const sites = await db().site.findMany({
    where: { AND: [where, copyable] },
    select: { ...plannedSite, domain: true, createdAt: true },
    orderBy: [{ domain: 'asc' }, { id: 'asc' }],
  })
  const planOf = createPlanOf(plans)
  const due = sites.flatMap((site): Due[] => {
    const [{ id, teamId, serverId, domain, createdAt }, plan] = [site, planOf(site)]
    if (!plan || plan.excluded) return []
    return [{ kind: 'site', id, teamId, serverId, name: domain, began: latest(plan.setAt, createdAt) }]
  })
  return judge(due, now)
}

/** The same of servers themselves, from the first night in which their schedule copied them too. */
export async function listCoveredServers(where: Prisma.ServerWhereInput, now: Date): Promise<Covered[]> {
  const plans = await readPlans()
  if (plans.every(({ excluded }) => excluded)) return []
  const servers = await findPlannedServers(where)
  const [planOf, first] = [createPlanOf(plans), await readFirstNights(servers.map(({ id }) => id))]
  const due = servers.flatMap((server): Due[] => {
    const [{ id, teamId, name, createdAt }, plan, firstAt] = [server, planOf(server), first.get(server.id)]
    if (!plan || plan.excluded || !firstAt || (plan.target !== null && !takesServers(plan.target))) return []
    const set = latest(plan.setAt, createdAt)
    const isFirst = now.getTime() - firstAt.getTime() < rememberedMs
    return [{ kind: 'server', id, teamId, serverId: id, name, began: isFirst ? latest(set, firstAt) : set }]
  })
  return judge(due, now)
}

/** Nights are kept for 30 days: one that is about as old need not have been the first, and another would be each day. */
const rememberedMs = 28 * 24 * hourMs

/** By the id of the server, its oldest night or attempt that is known: a paused schedule has no new nights. */
async function readFirstNights(ids: string[]): Promise<Map<string, Date>> {
  const [nights, attempts] = await Promise.all([
    db().nightCopy.groupBy({ by: ['siteId'], where: { siteId: { in: ids } }, _min: { dueAt: true } }),
    db().backupCopy.groupBy({ by: ['siteId'], where: { siteId: { in: ids } }, _min: { startedAt: true } }),
  ])
  const first = new Map<string, Date>()
  for (const [id, at] of [
    ...nights.map(({ siteId, _min }) => [siteId, _min.dueAt] as const),
    ...attempts.map(({ siteId, _min }) => [siteId, _min.startedAt] as const),
  ]) {
    const known = first.get(id)
    if (at && (!known || at < known)) first.set(id, at)
  }
  return first
}

const readPlans = () =>
  db().backupPlan.findMany({ select: { place: true, excluded: true, setAt: true, target: { select: { ownerId: true } } } })

const latest = (one: Date, other: Date): Date => (one > other ? one : other)

type Due = Subject & { began: Date }

async function judge(due: readonly Due[], now: Date): Promise<Covered[]> {
  const late = new Date(now.getTime() - lateMs)
  const where = { state: 'done', endedAt: { gt: late } } as const
  const recent = await db().backupCopy.findMany({ where, select: { siteId: true }, distinct: ['siteId'] })
  const good = new Set(recent.map(({ siteId }) => siteId))
  const covered: Covered[] = []
  for (const { began, ...subject } of due) {
    const inTime = good.has(subject.id) || began > late
    covered.push(inTime ? { ...subject, isLate: false } : { ...subject, ...(await lateness(subject.id, began)) })
  }
  return covered
}

async function lateness(id: string, began: Date): Promise<Lateness & { isLate: true }> {
  const newest = await db().backupCopy.findFirst({ where: { siteId: id, state: 'done' }, orderBy: { startedAt: 'desc' } })
  const lastGoodAt = newest?.endedAt ?? null
  return { isLate: true, since: lastGoodAt !== null && lastGoodAt > began ? lastGoodAt : began, lastGoodAt }
}
