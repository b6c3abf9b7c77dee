/** Copies that can be restored into a site: its own, and those of a site that is gone and had the same domain. */
import 'server-only'
import { sites } from '@/lib/contract/operations/sites'
import { isAllowed } from '@/lib/portal/access/grants/compile'
import { needOf } from '@/lib/portal/access/grants/needs'
import { rightOf } from '@/lib/portal/access/grants/read'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { BackupCopy, BackupRepository, BackupTarget, Site } from '@/prisma/generated/portal/client'
import { ownTargets } from './find'

export type RestorableCopy = BackupCopy & { repository: BackupRepository & { target: BackupTarget } }

const maxCopies = 200

/**
 * The newest first, at targets of the team and of the member, also at frozen ones. Copies of a site that is gone are shown to members who may
 * download sites of its server, because they have data of others.
 */
export async function listRestorable(actor: Person, { id: siteId, domain }: Pick<Site, 'id' | 'domain'>): Promise<RestorableCopy[]> {
  const found = await db().backupCopy.findMany({
    where: { domain, state: 'done', snapshot: { not: '' }, repository: { target: ownTargets(actor) } },
    include: { repository: { include: { target: true } } },
    orderBy: [{ startedAt: 'desc' }, { id: 'asc' }],
    take: maxCopies,
  })
  const others = [...new Set(found.map((copy) => copy.siteId))].filter((id) => id !== siteId)
  if (others.length === 0) return found
  const [right, there] = await Promise.all([
    rightOf(actor),
    db().site.findMany({ where: { id: { in: others }, goneAt: null }, select: { id: true } }),
  ])
  const present = new Set(there.map(({ id }) => id))
  return found.filter(
    (copy) =>
      copy.siteId === siteId ||
      (!present.has(copy.siteId) && isAllowed(right, needOf(sites.download), { kind: 'server', serverId: copy.repository.serverId })),
  )
}
