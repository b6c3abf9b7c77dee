/** When the next scheduled copies of sites begin. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { nextNight } from './nights'
import { createPlanOf, plannedSite } from './plans'

/** By the id of the site; no entry for one that no schedule copies. For a copy that is queued, the time of its next attempt. */
export async function nextCopyAt(siteIds: readonly string[], now = new Date()): Promise<Map<string, Date>> {
  const where = { id: { in: [...siteIds] }, goneAt: null }
  const sites = await db().site.findMany({ where, select: plannedSite })
  const [plans, waiting] = await Promise.all([
    db().backupPlan.findMany({ where: { teamId: { in: [...new Set(sites.map(({ teamId }) => teamId))] } } }),
    db().nightCopy.findMany({ where: { siteId: { in: [...siteIds] }, state: 'waiting' }, select: { siteId: true, dueAt: true } }),
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
