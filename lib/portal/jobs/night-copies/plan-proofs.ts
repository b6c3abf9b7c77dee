/** Once a week, for each site that a schedule copies, its newest complete copy at the target of that schedule is to be proven. */
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
  const copied = due.length === 0 ? new Map<string, Date>() : await readNewest(due)
  const night = `proof ${now.toISOString().slice(0, 10)}`
  const found = due.flatMap((each) => {
    const startedAt = copied.get(keyOf(each))
    return startedAt ? [{ ...each, startedAt }] : []
  })
  for (const { siteId, serverId, targetId, startedAt } of found.slice(0, atOnce)) {
    const where = { siteId, state: 'done', startedAt, repository: { targetId } } as const
    const copy = await db().backupCopy.findFirst({ where, orderBy: { id: 'asc' }, select: { id: true } })
    if (!copy) continue
    const row = { siteId, night, serverId, state: 'waiting', dueAt: now, copyId: copy.id } as const
    await db().nightCopy.upsert({ where: { siteId_night: { siteId, night } }, create: row, update: {} })
  }
}

const keyOf = ({ siteId, targetId }: Pick<Due, 'siteId' | 'targetId'>): string => `${siteId} ${targetId}`

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

/** When the newest complete copy of each site at a target was begun. */
async function readNewest(due: readonly Due[]): Promise<Map<string, Date>> {
  const targetIds = [...new Set(due.map(({ targetId }) => targetId))]
  const repositories = await db().backupRepository.findMany({
    where: { targetId: { in: targetIds } },
    select: { id: true, targetId: true },
  })
  const targetOf = new Map(repositories.map(({ id, targetId }) => [id, targetId]))
  const where = { repositoryId: { in: [...targetOf.keys()] }, state: 'done', snapshot: { not: '' } } satisfies Prisma.BackupCopyWhereInput
  const groups = await db().backupCopy.groupBy({ by: ['siteId', 'repositoryId'], where, _max: { startedAt: true } })
  const newest = new Map<string, Date>()
  for (const { siteId, repositoryId, _max: max } of groups) {
    const key = keyOf({ siteId, targetId: targetOf.get(repositoryId) ?? '' })
    const before = newest.get(key)
    if (max.startedAt !== null && (before === undefined || before < max.startedAt)) newest.set(key, max.startedAt)
  }
  return newest
}
