/** Once a week, for each site that a schedule copies, its newest complete copy of its server at the target of that schedule is to be proven. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { copyable, createPlanOf, plannedSite } from '@/lib/portal/subjects/backup-plans/plans'
import type { Prisma } from '@/prisma/generated/portal/client'

const weekMs = 7 * 86_400_000
/** Sites that are planned in one round. */
const atOnce = 200

type Due = { siteId: string; serverId: string; targetId: string }

/** They wait in the queue of the scheduled copies, which come first. */
export async function planProofs(now: Date): Promise<void> {
  const due = await listDue(now)
  const copied = due.length === 0 ? new Map<string, Date>() : await readNewest(due, now)
  const night = `proof ${now.toISOString().slice(0, 10)}`
  const found = due.flatMap((each) => {
    const startedAt = copied.get(keyOf(each))
    return startedAt ? [{ ...each, startedAt }] : []
  })
  for (const { siteId, serverId, targetId, startedAt } of found.slice(0, atOnce)) {
    const where = { siteId, state: 'done', startedAt, repository: { targetId, serverId } } as const
    const copy = await db().backupCopy.findFirst({ where, orderBy: { id: 'asc' }, select: { id: true } })
    if (!copy) continue
    const row = { siteId, night, serverId, state: 'waiting', dueAt: now, copyId: copy.id } as const
    await db().nightCopy.upsert({ where: { siteId_night: { siteId, night } }, create: row, update: {} })
  }
}

const keyOf = ({ siteId, serverId, targetId }: Due): string => `${siteId} ${serverId} ${targetId}`

/** Sites with a schedule of which no copy was proven, or was to be, in the last week. */
async function listDue(now: Date): Promise<Due[]> {
  const plans = await db().backupPlan.findMany()
  if (plans.every(({ targetId }) => targetId === null)) return []
  const since = new Date(now.getTime() - weekMs)
  const isOpen = { OR: [{ state: { in: ['waiting', 'running'] satisfies ('waiting' | 'running')[] } }, { dueAt: { gt: since, lte: now } }] }
  const [sites, proven, planned] = await Promise.all([
    db().site.findMany({ where: { teamId: { in: plans.map(({ teamId }) => teamId) }, ...copyable }, select: plannedSite }),
    db().backupCopy.findMany({ where: { proofAt: { gt: since, lte: now } }, select: { siteId: true }, distinct: ['siteId'] }),
    db().nightCopy.findMany({ where: { copyId: { not: '' }, ...isOpen }, select: { siteId: true } }),
  ])
  const [planOf, done] = [createPlanOf(plans), new Set([...proven, ...planned].map(({ siteId }) => siteId))]
  return sites.flatMap((site) => {
    const plan = planOf(site)
    if (!plan || plan.excluded || plan.pausedBecause !== '' || plan.targetId === null) return []
    return done.has(site.id) || site.serverId === null ? [] : [{ siteId: site.id, serverId: site.serverId, targetId: plan.targetId }]
  })
}

/**
 * When the newest complete copy of each site at a target was begun. Of a site that was moved, none of its former server: the new one would get the password of
 * that server's repository. One of the future was made while a clock was wrong, and would be the newest for long.
 */
async function readNewest(due: readonly Due[], now: Date): Promise<Map<string, Date>> {
  const targetIds = [...new Set(due.map(({ targetId }) => targetId))]
  const repositories = await db().backupRepository.findMany({
    where: { targetId: { in: targetIds } },
    select: { id: true, targetId: true, serverId: true },
  })
  const found = new Map(repositories.map(({ id, ...of }) => [id, of]))
  const of = { repositoryId: { in: [...found.keys()] }, startedAt: { lte: now } } satisfies Prisma.BackupCopyWhereInput
  const where = { ...of, state: 'done', snapshot: { not: '' } } satisfies Prisma.BackupCopyWhereInput
  const groups = await db().backupCopy.groupBy({ by: ['siteId', 'repositoryId'], where, _max: { startedAt: true } })
  return new Map(
    groups.flatMap(({ siteId, repositoryId, _max: { startedAt } }) => {
      const repository = found.get(repositoryId)
      return repository && startedAt !== null ? [[keyOf({ siteId, ...repository }), startedAt]] : []
    }),
  )
}
