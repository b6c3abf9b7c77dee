/** The copies that a schedule deletes, by repository. docs/decisions/089-copies-elsewhere.md */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { BackupCopy, BackupPlan, BackupRepository, Site } from '@/prisma/generated/portal/client'
import { isPruned } from '../backup-targets/address'
import { createPlanOf, findPlannedServers, plannedSite } from './plans'
import { findSurplus, type Retention } from './retention'

/** The columns of a schedule that it depends on; also of one that is not stored yet. */
export type PruningPlan = Retention & Pick<BackupPlan, 'teamId' | 'place' | 'serverId' | 'siteId' | 'targetId' | 'timeZone' | 'excluded'>

const copyColumns = { id: true, siteId: true, domain: true, snapshot: true, startedAt: true, provenAt: true, badAt: true } as const

export type StoredCopy = Pick<BackupCopy, keyof typeof copyColumns>

export type PlannedSites = ReadonlyMap<string, Pick<Site, 'serverId'>>

/** By id, the sites and the servers themselves to which the schedule applies. plans: those of the team; this one counts for its place. */
export async function findSitesOf(plan: PruningPlan, plans: readonly Pick<BackupPlan, 'place'>[]): Promise<PlannedSites> {
  const { teamId, siteId, serverId, place } = plan
  const within = siteId !== null ? { id: siteId } : serverId !== null ? { serverId } : {}
  const planOf = createPlanOf([...plans.filter((each) => each.place !== place), plan])
  const [sites, servers] = await Promise.all([
    db().site.findMany({ where: { teamId, goneAt: null, ...within }, select: plannedSite }),
    siteId === null ? findPlannedServers({ teamId, ...(serverId !== null && { id: serverId }) }) : [],
  ])
  return new Map([...sites, ...servers].filter((site) => planOf(site)?.place === place).map((site) => [site.id, site]))
}

/** The repositories at its target that can have copies of these sites; none if old copies are not deleted there. */
export async function findRepositoriesOf({ targetId, siteId, serverId }: PruningPlan): Promise<BackupRepository[]> {
  if (targetId === null) return []
  const within = siteId !== null ? { copies: { some: { siteId } } } : serverId !== null ? { serverId } : {}
  const target = await db().backupTarget.findUnique({ where: { id: targetId }, select: { kind: true, address: true } })
  if (!target || !isPruned(target)) return []
  return db().backupRepository.findMany({ where: { targetId, ...within }, orderBy: { id: 'asc' } })
}

/**
 * Of a repository. Sites that are gone or were moved keep their copies. A snapshot that a copy to be kept names is not deleted: a server reports the ids, and
 * could report one twice.
 */
export async function listSurplus(
  plan: PruningPlan,
  sites: PlannedSites,
  { id: repositoryId, serverId }: Pick<BackupRepository, 'id' | 'serverId'>,
  now: Date,
): Promise<StoredCopy[]> {
  const where = { repositoryId, state: 'done', snapshot: { not: '' } } as const
  const all = await db().backupCopy.findMany({ where, select: copyColumns })
  const bySite = new Map<string, StoredCopy[]>()
  for (const copy of all) bySite.set(copy.siteId, [...(bySite.get(copy.siteId) ?? []), copy])
  const surplus: StoredCopy[] = []
  for (const [siteId, copies] of bySite)
    if (sites.get(siteId)?.serverId === serverId) surplus.push(...findSurplus(copies, plan, { timeZone: plan.timeZone, now }))
  const going = new Set(surplus)
  const kept = new Set(all.filter((copy) => !going.has(copy)).map(({ snapshot }) => shorten(snapshot)))
  return surplus.filter(({ snapshot }) => !kept.has(shorten(snapshot)))
}

/** restic of Debian 12 reports eight digits. */
const shorten = (snapshot: string): string => snapshot.slice(0, 8)

/**
 * Without those of sites of which a copy is being restored, or proven: the proof would call a copy that is gone bad. By domain: a copy of a former site with the
 * same domain can be restored too. Not part of what the dialog says before, which would leave out what only waits.
 */
export async function withoutRead(teamId: string, copies: readonly StoredCopy[]): Promise<StoredCopy[]> {
  const where = { teamId, operation: { in: ['copies.restore', 'copies.prove'] }, endedAt: null }
  const read = new Set((await db().job.findMany({ where, select: { targetName: true } })).map(({ targetName }) => targetName))
  return copies.filter(({ domain }) => !read.has(domain))
}
