/** What is known of the state of the fleet: counted in the database, so that thousands of sites take a few rows. */
import 'server-only'
import { cachedForActor } from '@/lib/portal/access/cached-for-actor'
import type { Actor } from '@/lib/portal/identity/actor'
import { backupNightMs, readNewestBackups } from '@/lib/portal/jobs/newest-backups'
import { readUnreachable } from '@/lib/portal/subjects/findings/findings'
import type { Obstacles } from '@/lib/portal/subjects/listing/list'
import { readSiteCounts, type SiteCount } from '@/lib/portal/subjects/sites/counts'
import type { Connection } from '@/prisma/generated/portal/client'
import type { FleetFacts } from './fleet-words'
import type { HomeServers } from './servers'

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

async function countBackups(actor: Actor, { installed }: HomeServers, now: number): Promise<FleetFacts['backups']> {
  const newest = await cachedForActor(actor, 'fleet backups', () => readNewestBackups(actor, now))
  if (!installed.some(({ id }) => newest.has(id))) return null
  const backedUp = ({ id }: { id: string }) => (newest.get(id)?.doneAt ?? 0) > now - backupNightMs
  const left = installed.filter((server) => !backedUp(server))
  // Of a server that cannot be asked, a backup may be known later.
  const unknown = left.filter(({ id, state }) => !newest.has(id) || state === 'unreachable' || state === 'unknown')
  return { all: installed.length, done: installed.length - left.length, unknown: unknown.length }
}
