/** Servers whose own backups have been copied elsewhere, also those that are gone. */
import 'server-only'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { findGranted } from '@/lib/portal/access/decide'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { type FailedBackups, readFailedBackups } from '@/lib/portal/jobs/failed-backups'
import { readNewestBackups } from '@/lib/portal/jobs/newest-backups'
import { nextServerCopyAt } from '@/lib/portal/subjects/backup-plans/next-copies'
import { ownTargets } from '@/lib/portal/subjects/backup-targets/find'
import type { CopiesOfSite } from './copies'
import type { BackupLine } from './line'

/** copies: of everything, by the id of the site or server. */
export async function readServers(actor: Person, copies: ReadonlyMap<string, CopiesOfSite>, now: number): Promise<BackupLine[]> {
  const all = await db().backupRepository.findMany({
    where: { target: ownTargets(actor) },
    distinct: ['serverId'],
    orderBy: { createdAt: 'desc' },
    select: { serverId: true, serverName: true },
  })
  const repositories = all.filter(({ serverId }) => copies.has(serverId))
  const ids = repositories.map(({ serverId }) => serverId)
  if (ids.length === 0) return []
  const [servers, granted, failed, newest, next] = await Promise.all([
    db().server.findMany({ where: { id: { in: ids }, goneAt: null }, select: { id: true, name: true } }),
    findGranted(actor, serverBackups.list, 'server', ids),
    readFailedBackups(actor, now),
    readNewestBackups(actor, now),
    nextServerCopyAt({ id: { in: ids } }, new Date(now)),
  ])
  const names = new Map(servers.map(({ id, name }) => [id, name]))
  return repositories.flatMap(({ serverId: id, serverName }): BackupLine[] => {
    const own = copies.get(id)
    if (!own || !granted.has(id)) return []
    const name = names.get(id)
    const doneAt = newest.get(id)?.doneAt ?? null
    return [
      {
        of: 'server',
        id,
        domain: name ?? serverName,
        server: name ?? serverName,
        gone: name === undefined,
        serverId: name === undefined ? null : id,
        backupAt: name === undefined ? '' : isoOf(doneAt),
        failedAt: name === undefined ? '' : isoOf(failedSince(id, doneAt, failed)),
        copyFailedAt: isoOf(own.failedAt > own.newestAt ? own.failedAt : null),
        copies: own.copies,
        nextCopyAt: next.get(id)?.toISOString() ?? '',
        extensions: name !== undefined,
      },
    ]
  })
}

/** When a night after the newest good one failed. */
function failedSince(id: string, doneAt: number | null, { servers }: FailedBackups): number | null {
  const failedAt = servers.get(id) ?? 0
  return failedAt > (doneAt ?? 0) ? failedAt : null
}

const isoOf = (at: number | null): string => (at === null ? '' : new Date(at).toISOString())
