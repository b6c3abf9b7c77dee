/** What is known of the state of the fleet: counted in the database, so that thousands of sites take a few rows. */
import 'server-only'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import { namesMany } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { findSight, sitesListedFor, sitesVisibleTo } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import { siftJobs } from '@/lib/portal/jobs/visible'
import { readUnreachable } from '@/lib/portal/subjects/findings/findings'
import type { Obstacles } from '@/lib/portal/subjects/listing/list'
import type { Connection, Prisma } from '@/prisma/generated/portal/client'
import type { FleetFacts } from './fleet-words'
import type { HomeServers } from './servers'

const hourMs = 3_600_000
/** A nightly backup begins at another minute each night, and takes a while. */
const nightMs = 26 * hourMs
/** A server that told of a backup within this time is expected to make one each night. As long as servers name their events. */
const rememberedMs = 7 * 24 * hourMs

type Known = {
  servers: HomeServers
  listing: readonly Connection[]
  obstacles: Obstacles
  /** ms since 1970 */
  now: number
}

export async function readFleet(actor: Actor, { servers, listing, obstacles, now }: Known): Promise<FleetFacts> {
  const [sites, backups] = await Promise.all([countSites(actor, listing, obstacles), countBackups(actor, servers, now)])
  const waiting = servers.findings.filter(({ kind }) => kind === 'security_updates')
  const [only] = waiting
  return {
    servers: { all: servers.all, states: servers.states },
    sites,
    backups,
    updates: { count: waiting.length, serverId: waiting.length === 1 && only ? only.serverId : null },
  }
}

/** How many sites of a server are in a state. */
type SiteCount = { state: string; serverId: string | null; count: number }

async function countSites(actor: Actor, listing: readonly Connection[], obstacles: Obstacles): Promise<FleetFacts['sites']> {
  const answering = listing.flatMap(({ id }) => (obstacles.has(id) ? [] : [id]))
  const through = { connections: { some: { connectionId: { in: answering } } } }
  const [all, current, unreachable] = await Promise.all([
    readSiteCounts(actor, 'sites', {}),
    // What a service reported before it stopped answering is not known any more.
    obstacles.size === 0 ? null : readSiteCounts(actor, `sites of ${answering.join(' ')}`, through),
    readUnreachable(actor.team.id),
  ])
  const known = current ?? all
  const isUp = ({ state, serverId }: SiteCount) => state === 'ready' && !unreachable.has(serverId ?? '')
  return {
    all: sum(all),
    up: sum(known.filter(isUp)),
    down: sum(known.filter(({ state }) => state === 'down' || state === 'failed')),
    stateless: sum(all.filter(({ state }) => state === '')),
  }
}

const sum = (rows: readonly { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)

function readSiteCounts(actor: Actor, key: string, matching: Prisma.SiteWhereInput): Promise<SiteCount[]> {
  return cachedForActor(actor, `fleet ${key}`, async () => {
    const { seen } = await rightOf(actor)
    if (seen.everything || !namesMany([seen])) {
      const where = { AND: [await sitesVisibleTo(actor), matching] }
      const rows = await db().site.groupBy({ by: ['state', 'serverId'], where, _count: true })
      return rows.map(({ state, serverId, _count: count }) => ({ state, serverId, count }))
    }
    // Grants over very many sites are checked here, not in the database.
    const where = { AND: [await sitesListedFor(actor), matching] }
    const [sees, rows] = await Promise.all([
      findSight(actor),
      db().site.findMany({ where, select: { id: true, state: true, serverId: true } }),
    ])
    return rows.flatMap(({ id, state, serverId }) => (sees({ kind: 'site', siteId: id, serverId }) ? [{ state, serverId, count: 1 }] : []))
  })
}

async function countBackups(actor: Actor, { installed }: HomeServers, now: number): Promise<FleetFacts['backups']> {
  const newest = await cachedForActor(actor, 'fleet backups', () => readNewestBackups(actor, now))
  if (!installed.some(({ id }) => newest.has(id))) return null
  const backedUp = ({ id }: { id: string }) => (newest.get(id)?.doneAt ?? 0) > now - nightMs
  const left = installed.filter((server) => !backedUp(server))
  // Of a server that cannot be asked, a backup may be known later.
  const unknown = left.filter(({ id, state }) => !newest.has(id) || state === 'unreachable' || state === 'unknown')
  return { all: installed.length, done: installed.length - left.length, unknown: unknown.length }
}

/** By server, of those that told of a backup. doneAt: when the newest one that succeeded ended, in ms since 1970; null if none did. */
async function readNewestBackups(actor: Actor, now: number): Promise<Map<string, { doneAt: number | null }>> {
  const { where, keeps } = await siftJobs(actor)
  const backups = { operation: 'event.backup', serverId: { not: null }, startedAt: { gt: new Date(now - rememberedMs) } } as const
  const rows = await db().job.groupBy({ by: ['serverId', 'state'], where: { AND: [where, backups] }, _max: { endedAt: true } })
  const newest = new Map<string, { doneAt: number | null }>()
  for (const { serverId, state, _max: max } of rows) {
    if (serverId === null || !keeps({ operation: 'event.backup', serverId, siteId: null })) continue
    const doneAt = state === 'done' ? (max.endedAt?.getTime() ?? null) : null
    newest.set(serverId, { doneAt: doneAt ?? newest.get(serverId)?.doneAt ?? null })
  }
  return newest
}
