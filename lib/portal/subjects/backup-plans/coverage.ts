/** Which sites have a schedule of copies, and whether their newest copy is late. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'
import { copyable, createPlanOf, plannedSite } from './plans'

const hourMs = 3_600_000

/** A day, and two hours for copies that begin later or take longer. */
const lateMs = 26 * hourMs

/** since: when the newest good copy was made, or the schedule began if that was later. lastGoodAt: null if there is none. */
export type CoveredSite = { id: string; teamId: string; serverId: string | null; domain: string } & (
  | { isLate: false }
  | { isLate: true; since: Date; lastGoodAt: Date | null }
)

/** Sites that are excluded or have no schedule are left out. A paused schedule covers its sites: their copies become late. */
export async function listCovered(where: Prisma.SiteWhereInput, now: Date): Promise<CoveredSite[]> {
  const plans = await db().backupPlan.findMany({ select: { place: true, excluded: true, setAt: true } })
  if (plans.every(({ excluded }) => excluded)) return []
  const late = new Date(now.getTime() - lateMs)
  const [sites, recent] = await Promise.all([
    db().site.findMany({
      where: { AND: [where, copyable] },
      select: { ...plannedSite, domain: true, createdAt: true },
      orderBy: [{ domain: 'asc' }, { id: 'asc' }],
    }),
    db().backupCopy.findMany({ where: { state: 'done', endedAt: { gt: late } }, select: { siteId: true }, distinct: ['siteId'] }),
  ])
  const [planOf, good] = [createPlanOf(plans), new Set(recent.map(({ siteId }) => siteId))]
  const covered: CoveredSite[] = []
  for (const each of sites) {
    const [{ id, teamId, serverId, domain, createdAt }, plan] = [each, planOf(each)]
    const site = { id, teamId, serverId, domain }
    if (!plan || plan.excluded) continue
    const began = plan.setAt > createdAt ? plan.setAt : createdAt
    covered.push(good.has(site.id) || began > late ? { ...site, isLate: false } : { ...site, ...(await lateness(site.id, began)) })
  }
  return covered
}

async function lateness(siteId: string, began: Date): Promise<{ isLate: true; since: Date; lastGoodAt: Date | null }> {
  const newest = await db().backupCopy.findFirst({ where: { siteId, state: 'done' }, orderBy: { startedAt: 'desc' } })
  const lastGoodAt = newest?.endedAt ?? null
  return { isLate: true, since: lastGoodAt !== null && lastGoodAt > began ? lastGoodAt : began, lastGoodAt }
}
