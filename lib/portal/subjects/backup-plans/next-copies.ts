/** When the next scheduled copies of sites begin. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'
import { nextNight } from './nights'
import { createPlanOf, plannedSite } from './plans'

/** By the id of the site; no entry for one that no schedule copies. For a copy that is queued, the time of its next attempt. */
export async function nextCopyAt(of: Prisma.SiteWhereInput, now: Date): Promise<Map<string, Date>> {
  const plans = await db().backupPlan.findMany({ where: { team: { sites: { some: of } } } })
  // There may be thousands of sites.
  if (plans.length === 0) return new Map()
  const [sites, waiting] = await Promise.all([
    db().site.findMany({ where: { AND: [of, { goneAt: null }] }, select: plannedSite }),
    db().nightCopy.findMany({ where: { site: of, state: 'waiting', copyId: '' }, select: { siteId: true, dueAt: true } }),
  ])
  const [planOf, dueAt] = [createPlanOf(plans), new Map(waiting.map((row) => [row.siteId, row.dueAt]))]
  return new Map(
    sites.flatMap((site): [string, Date][] => {
      const plan = planOf(site)
      if (!plan || plan.excluded || plan.targetId === null || plan.pausedBecause !== '') return []
      return [[site.id, dueAt.get(site.id) ?? nextNight(plan, now)]]
    }),
  )
}
