/** When the next scheduled copies of sites, and of servers themselves, begin. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'
import { nextNight } from './nights'
import { createPlanOf, findPlannedServers, type PlannedSite, plannedSite, takesServers } from './plans'

/** By the id of the site; no entry for one that no schedule copies. For a copy that is queued, the time of its next attempt. */
export const nextCopyAt = (of: Prisma.SiteWhereInput, now: Date): Promise<Map<string, Date>> =>
  nextOf({ sites: { some: of } }, () => db().site.findMany({ where: { AND: [of, { goneAt: null }] }, select: plannedSite }), now)

/** The same of servers themselves. */
export const nextServerCopyAt = (of: Prisma.ServerWhereInput, now: Date): Promise<Map<string, Date>> =>
  nextOf({ servers: { some: of } }, () => findPlannedServers(of), now)

async function nextOf(team: Prisma.TeamWhereInput, findPlanned: () => Promise<PlannedSite[]>, now: Date): Promise<Map<string, Date>> {
  const plans = await db().backupPlan.findMany({ where: { team }, include: { target: { select: { ownerId: true } } } })
  // There may be thousands of sites.
  if (plans.length === 0) return new Map()
  const [planned, waiting] = await Promise.all([
    findPlanned(),
    db().nightCopy.findMany({ where: { state: 'waiting', copyId: '' }, select: { siteId: true, dueAt: true } }),
  ])
  const [planOf, dueAt] = [createPlanOf(plans), new Map(waiting.map((row) => [row.siteId, row.dueAt]))]
  return new Map(
    planned.flatMap((each): [string, Date][] => {
      const plan = planOf(each)
      if (!plan?.target || plan.excluded || plan.pausedBecause !== '') return []
      return each.id === each.serverId && !takesServers(plan.target) ? [] : [[each.id, dueAt.get(each.id) ?? nextNight(plan, now)]]
    }),
  )
}
