/** Sites that were deleted, and of which there are copies elsewhere. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { CopiesOfSite } from './copies'
import type { BackupLine } from './line'

/** copies: of sites that are not listed. Only those in targets of the team or the reader: what others keep for themselves is not theirs to see. */
export async function readGone({ team, user }: Person, copies: ReadonlyMap<string, CopiesOfSite>): Promise<BackupLine[]> {
  const ids = [...copies].flatMap(([id, { isOwn }]) => (isOwn ? [id] : []))
  if (ids.length === 0) return []
  // A site that only another member's own connection lists is not gone.
  const present = await db().site.findMany({ where: { id: { in: ids }, goneAt: null }, select: { id: true } })
  const there = new Set(present.map(({ id }) => id))
  const target = { teamId: team.id, OR: [{ ownerId: null }, { ownerId: user.id }] }
  const named = await db().backupCopy.findMany({
    where: { siteId: { in: ids.filter((id) => !there.has(id)) }, state: 'done', repository: { target } },
    distinct: ['siteId'],
    orderBy: { startedAt: 'desc' },
    select: { siteId: true, domain: true, repository: { select: { serverName: true } } },
  })
  const missing = { gone: true, serverId: null, backupAt: '', failedAt: '', copyFailedAt: '', nextCopyAt: '', extensions: false } as const
  return named.map(({ siteId, domain, repository }) => ({
    id: siteId,
    domain,
    server: repository.serverName,
    copies: copies.get(siteId)?.copies ?? [],
    ...missing,
  }))
}
