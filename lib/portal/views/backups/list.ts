/** The backups of all sites that a user may see: when each was last backed up, and where its copies are. */
import 'server-only'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import type { Actor } from '@/lib/portal/identity/actor'
import { type FailedBackups, readFailedBackups } from '@/lib/portal/jobs/failed-backups'
import { nextCopyAt } from '@/lib/portal/subjects/backup-plans/next-copies'
import type { ConnectionRow } from '@/lib/portal/subjects/listing/list'
import { answerSince, type Versioned } from '@/lib/portal/subjects/listing/version'
import { findKnownSites, type ListedSite, listSites, type SiteList } from '@/lib/portal/subjects/sites/list'
import { type CopiesOfSite, findListable, readCopies, seesTargets } from './copies'
import { readGone } from './gone'
import type { BackupLine } from './line'
import { readServers } from './servers'

export type BackupList = { backups: BackupLine[]; connections: ConnectionRow[] }

export type VersionedBackupList = Versioned<BackupList>

/** Asks the services for their sites, each at most once in 2 s. For one that fails, returns the problem and what was known last. */
export const listBackups = async (actor: Actor, now = Date.now()): Promise<BackupList> => describe(actor, await listSites(actor), now)

/** What is known already, without calling a service. Null if nothing was listed yet. */
export async function findKnownBackups(actor: Actor, now = Date.now()): Promise<BackupList | null> {
  const known = await findKnownSites(actor)
  return known && describe(actor, known, now)
}

/** The answer to a poll, as JSON text of a VersionedBackupList. `seen`: the caller's version, or null. */
export const answerBackupsSince = (list: BackupList, seen: string | null): Promise<string> => answerSince('backups', list, seen)

async function describe(actor: Actor, { sites, connections }: SiteList, now: number): Promise<BackupList> {
  const listed = new Set(sites.map(({ id }) => id))
  const [failed, all, next] = await Promise.all([
    cachedForActor(actor, 'failed backups', () => readFailedBackups(actor, now)),
    cachedForActor(actor, 'copies', () => readCopies(actor)),
    cachedForActor(actor, 'next copies', () => readNext(actor, now)),
  ])
  const mayList = await findListable(actor, () => [...new Set([...listed, ...all.keys()])])
  const lines = sites.map((site) => {
    const may = mayList(site.id)
    return { ...toLine(site, failed, may ? (all.get(site.id) ?? none) : null), nextCopyAt: (may && next.get(site.id)?.toISOString()) || '' }
  })
  const others = new Map([...all].filter(([id]) => !listed.has(id) && mayList(id)))
  if (!seesTargets(actor)) return { backups: lines, connections }
  const servers = await cachedForActor(actor, 'copied servers', () => readServers(actor, all, now))
  return { backups: [...lines, ...servers, ...(await readGone(actor, others))], connections }
}

/** A night that begins is written, so this may be kept until then. */
const readNext = async (actor: Actor, now: number): Promise<Map<string, Date>> =>
  seesTargets(actor) ? nextCopyAt({ teamId: actor.team.id }, new Date(now)) : new Map()

const none: CopiesOfSite = { copies: [], newestAt: 0, failedAt: 0, isOwn: false }

/** own: null for a reader who may not know of copies. */
function toLine(site: ListedSite, failed: FailedBackups, own: CopiesOfSite | null): Omit<BackupLine, 'nextCopyAt'> {
  const { id, domain, serverId, server, backupAt, extensions } = site
  const { copies, newestAt, failedAt } = own ?? none
  return {
    of: 'site',
    id,
    domain,
    gone: false,
    serverId,
    server,
    backupAt,
    failedAt: isoOf(failedSince(site, failed)),
    copyFailedAt: isoOf(failedAt > newestAt ? failedAt : 0),
    copies: own && copies,
    extensions,
  }
}

// Nights take hours, and one that fails may have backed up this site before.
const nightMs = 12 * 3_600_000

/** When an attempt after the newest backup failed, ms since 1970; 0 if none did. */
function failedSince({ id, serverId, backupAt }: ListedSite, { sites, servers }: FailedBackups): number {
  const [own, night] = [sites.get(id) ?? 0, servers.get(serverId ?? '') ?? 0]
  const last = Date.parse(backupAt)
  // Of a site whose service does not report backups, it is not known whether a later one succeeded.
  if (Number.isNaN(last)) return backupAt === 'none' ? Math.max(own, night) : own
  return Math.max(own > last ? own : 0, night - last > nightMs ? night : 0)
}

const isoOf = (at: number): string => (at === 0 ? '' : new Date(at).toISOString())
