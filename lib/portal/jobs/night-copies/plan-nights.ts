/** Stores which sites, and which servers themselves, are to be copied in a night, in one transaction with the mark of their schedule, so that no night is planned twice. */
import 'server-only'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { isPlanned, newestNight } from '@/lib/portal/subjects/backup-plans/nights'
import { copyable, createPlanOf, findPlannedServers, plannedSite, takesServers } from '@/lib/portal/subjects/backup-plans/plans'
import type { BackupPlan, Prisma } from '@/prisma/generated/portal/client'

const dayMs = 86_400_000
const keptMs = 30 * dayMs
/** Rows in one statement. */
const atOnce = 200

/** A time that was stored while the clock was wrong. */
const isWrong = (at: Date, now: Date): boolean => at.getTime() - now.getTime() > dayMs

/** If no portal ran at the hour of a schedule, its night is planned as soon as one does. A schedule that fails is logged and tried again, and holds up no other. */
export async function planNights(now: Date): Promise<void> {
  for (const plan of await db().backupPlan.findMany({ where: { excluded: false, pausedBecause: '' } })) {
    await planNewest(plan, now).catch((err: unknown) => log.error({ err, plan: plan.id }, 'a night of copies could not be planned'))
  }
}

async function planNewest(plan: BackupPlan, now: Date): Promise<void> {
  const { night, dueAt } = newestNight(plan, now)
  if (isPlanned(plan.night, night) || (dueAt <= plan.setAt && !isWrong(plan.setAt, now))) return
  await planNight(plan, night, now)
}

async function planNight({ id, teamId, place, night: former, setAt, ...plan }: BackupPlan, night: string, now: Date): Promise<void> {
  const within = plan.siteId !== null ? { id: plan.siteId } : plan.serverId !== null ? { serverId: plan.serverId } : {}
  await db().$transaction(async (tx) => {
    const taken = await tx.backupPlan.updateMany({ where: { id, night: former, setAt }, data: { night } })
    if (taken.count === 0) return
    const planOf = createPlanOf(await tx.backupPlan.findMany({ where: { teamId } }))
    const sites = await tx.site.findMany({ where: { teamId, AND: [within, copyable] }, select: plannedSite })
    const target = plan.targetId === null ? null : await tx.backupTarget.findUnique({ where: { id: plan.targetId } })
    const of = { teamId, ...(plan.serverId !== null && { id: plan.serverId }) }
    const servers = plan.siteId === null && takesServers(target) ? await findPlannedServers(of, tx) : []
    const open = await readOpen(tx, { night, setAt })
    const rows = [...sites, ...servers].flatMap((site) =>
      site.serverId === null || open.has(site.id) || planOf(site)?.place !== place
        ? []
        : [{ siteId: site.id, night, serverId: site.serverId, state: 'waiting' as const, dueAt: now }],
    )
    for (let from = 0; from < rows.length; from += atOnce) {
      const data = rows.slice(from, from + atOnce)
      // Of the schedule before.
      await tx.nightCopy.deleteMany({ where: { night, siteId: { in: data.map(({ siteId }) => siteId) } } })
      await tx.nightCopy.createMany({ data })
    }
    await tx.nightCopy.deleteMany({ where: { dueAt: { lt: new Date(now.getTime() - keptMs) } } })
  })
}

type Planned = Pick<BackupPlan, 'night' | 'setAt'>

/**
 * By id, sites and servers of all teams that have this night already, by another schedule, or whose copy of the night before has not ended: they keep their place in the queue. A
 * night that was over when the schedule was set is not its own: one that is set to a later hour begins on the same day.
 */
async function readOpen(tx: Prisma.TransactionClient, { night, setAt }: Planned): Promise<Set<string>> {
  const unended = { copyId: '', state: { in: ['waiting', 'running'] satisfies ('waiting' | 'running')[] } }
  const where = { OR: [{ night, dueAt: { gt: setAt } }, unended] }
  return new Set((await tx.nightCopy.findMany({ where, select: { siteId: true } })).map(({ siteId }) => siteId))
}
