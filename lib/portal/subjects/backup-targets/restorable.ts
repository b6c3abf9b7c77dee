/** Copies that can be restored into a site: its own, and those of a site that is gone and had the same domain. */
import 'server-only'
import type { Operation } from '@/lib/contract/operation'
import { serverBackups } from '@/lib/contract/operations/server-backups'
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

/** Of a repository, how many copies it has of its server itself. */
export const ofServerItself = { _count: { select: { copies: { where: { domain: '' } } } } } as const

/**
 * The newest first, at targets of the team and of the member, also at frozen ones. Copies of a site that is gone are shown to members who may
 * download sites of its server, because they have data of others. Another server gets the password of the repository to read a copy, so that needs the right to whatever it opens.
 */
export async function listRestorable(actor: Person, site: Pick<Site, 'id' | 'domain' | 'serverId'>): Promise<RestorableCopy[]> {
  const { id: siteId, domain, serverId } = site
  const found = await db().backupCopy.findMany({
    where: {
      // A service may say no domain, as copies of servers have none.
      ...(domain === '' ? { siteId } : { domain }),
      ...{ state: 'done', snapshot: { not: '' }, repository: { target: ownTargets(actor) } },
    },
    include: { repository: { include: { target: true, ...ofServerItself } } },
    orderBy: [{ startedAt: 'desc' }, { id: 'asc' }],
    take: maxCopies,
  })
  const others = [...new Set(found.map((copy) => copy.siteId))].filter((id) => id !== siteId)
  if (others.length === 0 && found.every(({ repository }) => repository.serverId === serverId)) return found
  const [right, there] = await Promise.all([
    rightOf(actor),
    db().site.findMany({ where: { id: { in: others }, goneAt: null }, select: { id: true } }),
  ])
  const present = new Set(there.map(({ id }) => id))
  const may = (operation: Operation, id: string) => isAllowed(right, needOf(operation), { kind: 'server', serverId: id })
  return found.filter(
    ({ siteId: copied, repository: { serverId: former, _count } }) =>
      (copied === siteId || (!present.has(copied) && may(sites.download, former))) &&
      (former === serverId || _count.copies === 0 || may(serverBackups.copy, former)),
  )
}
