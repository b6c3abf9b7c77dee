/** Sites that were deleted, and of which there are copies elsewhere. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { ownTargets } from '@/lib/portal/subjects/backup-targets/find'
import type { CopiesOfSite } from './copies'
import type { BackupLine } from './line'

/** copies: of sites that are not listed. Only those in targets of the team or the reader. */
export async function readGone(actor: Person, copies: ReadonlyMap<string, CopiesOfSite>): Promise<BackupLine[]> {
  const ids = [...copies].flatMap(([id, { isOwn }]) => (isOwn ? [id] : []))
  if (ids.length === 0) return []
  // A site that only another member's own connection lists is not gone.
  const present = await db().site.findMany({ where: { id: { in: ids }, goneAt: null }, select: { id: true } })
  const there = new Set(present.map(({ id }) => id))
  const named = await db().backupCopy.findMany({
    where: {
      siteId: { in: ids.filter((id) => !there.has(id)) },
      domain: { not: '' },
      state: 'done',
      repository: { target: ownTargets(actor) },
    },
    distinct: ['siteId'],
    orderBy: { startedAt: 'desc' },
    select: { siteId: true, domain: true, repository: { select: { serverName: true } } },
  })
  const missing = { gone: true, serverId: null, backupAt: '', failedAt: '', copyFailedAt: '', nextCopyAt: '', extensions: false } as const
  return named.map(({ siteId, domain, repository }) => ({
    of: 'site',
    id: siteId,
    domain,
    server: repository.serverName,
    copies: copies.get(siteId)?.copies ?? [],
    ...missing,
  }))
}
