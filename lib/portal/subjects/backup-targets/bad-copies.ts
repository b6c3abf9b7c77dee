/** Sites with a copy that a proof found bad, and none at the same target that was proven since. */
import 'server-only'
import { db } from '@/lib/portal/base/db'

/** among: ids of sites, of which there may be thousands. */
export async function findBad(among: readonly string[]): Promise<Set<string>> {
  const wanted = new Set(among)
  const bad = await db().backupCopy.findMany({ where: { badAt: { not: null } }, select: { siteId: true }, distinct: ['siteId'] })
  const siteIds = bad.map(({ siteId }) => siteId).filter((id) => wanted.has(id))
  if (siteIds.length === 0) return new Set()
  const of = { siteId: { in: siteIds }, state: 'done' } as const
  const groups = await db().backupCopy.groupBy({ by: ['siteId', 'repositoryId'], where: of, _max: { provenAt: true, badAt: true } })
  return new Set(groups.flatMap(({ siteId, _max: { provenAt, badAt } }) => (isBadSince(provenAt, badAt) ? [siteId] : [])))
}

/** Of the copies of one site at one target: the newest times at which one was proven, and at which one was found bad; both as dates or as the same kind of ISO text. */
export const isBadSince = <Time extends Date | string>(provenAt: Time | null, badAt: Time | null): boolean =>
  badAt !== null && (provenAt === null || badAt > provenAt)
