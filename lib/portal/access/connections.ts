/** Which connections a user may use, and which of them serves a server. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import type { Connection, Server } from '@/prisma/generated/portal/client'
import { describeFrozen, isFrozen } from './frozen'
import type { Right } from './grants/compile'
import { rightOf } from './grants/read'

/** The user whose own connections count in addition to the team's; null for a token and for Gatehouse itself, which use only the team's. */
export const ownerOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.user.id : null)

/** Whose connections count: the team's, and those of one of its members. */
export type ConnectionScope = { teamId: string; ownerId: string | null }

/** All members of a team can use its connections; a personal connection works only for its owner. */
const within = ({ teamId, ownerId }: ConnectionScope) => ({ teamId, OR: [{ ownerId: null }, { ownerId }] })

const scopeOf = (actor: Actor): ConnectionScope => ({ teamId: actor.team.id, ownerId: ownerOf(actor) })

/** The connections that this actor may use, oldest first: own ones, and those of the team that list something in their grants. */
export async function listUsableConnections(actor: Actor): Promise<readonly Connection[]> {
  const [connections, right] = await Promise.all([listWithin(actor), rightOf(actor)])
  if (right.seen.everything) return connections
  const listing = await findListing(actor.team.id, right)
  return connections.filter(({ id, ownerId }) => ownerId !== null || listing.has(id))
}

/** The ids of connections that list one of these servers, a site of theirs, or one of these sites. */
function findListing(teamId: string, right: Right): Promise<Set<string>> {
  const found = listings.get(right) ?? readListing(teamId, [...right.seen.servers], [...right.seen.sites])
  listings.set(right, found)
  found.catch(() => listings.delete(right))
  return found
}

/** Every write leads to another right, so what is known of one is never stale. */
const listings = new WeakMap<Right, Promise<Set<string>>>()

async function readListing(teamId: string, servers: string[], sites: string[]): Promise<Set<string>> {
  const site = { OR: [{ siteId: { in: sites } }, { site: { serverId: { in: servers } } }] }
  const where = { teamId, OR: [{ servers: { some: { serverId: { in: servers } } } }, { sites: { some: site } }] }
  return new Set((await db().connection.findMany({ where, select: { id: true } })).map(({ id }) => id))
}

function listWithin(actor: Actor): Promise<readonly Connection[]> {
  return cachedUntilWrite(`connections ${actor.team.id} ${ownerOf(actor)}`, () =>
    db().connection.findMany({
      where: within(scopeOf(actor)),
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  )
}

/** Other members' own connections, oldest first: to be seen, frozen and removed by those who keep the team's; never to be used. */
export function listOthersOwn(actor: Person): Promise<Connection[]> {
  return db().connection.findMany({
    where: { teamId: actor.team.id, ownerId: { not: actor.user.id }, NOT: { ownerId: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
}

/** The key that groups servers by service: servers of two connections with the same key belong to one service. */
export function upstreamOf(connection: Pick<Connection, 'kind' | 'origin' | 'basePath'>): string {
  return connection.kind === 'bundled' ? connection.origin : `${connection.origin}${connection.basePath}`
}

type Listed = { kind: 'server' | 'site'; id: string }

/**
 * The connections that list a server or site, the preferred one first: own before shared, then the most recently verified. An API
 * key of another account at the same origin lists neither, so it is not included.
 */
export const rankConnections = (actor: Actor, listed: Listed): Promise<Connection[]> => rankWithin(scopeOf(actor), listed)

/** The same without an actor, for a job whose starter may have signed out. */
export async function rankWithin(scope: ConnectionScope, { kind, id }: Listed): Promise<Connection[]> {
  const [connection, include] = [within(scope), { connection: true }]
  const links =
    kind === 'server'
      ? await db().serverOnConnection.findMany({ where: { serverId: id, connection }, include })
      : await db().siteOnConnection.findMany({ where: { siteId: id, connection }, include })
  return links
    .sort(
      (a, b) =>
        Number(b.connection.ownerId !== null) - Number(a.connection.ownerId !== null) || b.provenAt.getTime() - a.provenAt.getTime(),
    )
    .map(({ connection }) => connection)
}

/**
 * A connection whose API key was refused or cannot be decrypted is not used until the key is replaced or a check succeeds; a frozen one
 * not until it is thawed.
 */
export const canAct = ({ state, frozenAt }: Pick<Connection, 'state' | 'frozenAt'>): boolean =>
  frozenAt === null && (state === 'working' || state === 'untried')

/** The first usable connection whose service announces extensions, because only such a service can simulate servers. */
export const findSimulating = <C extends Pick<Connection, 'state' | 'frozenAt' | 'extensions'>>(connections: readonly C[]): C | undefined =>
  connections.find((connection) => canAct(connection) && connection.extensions)

/**
 * Whether a server is simulated. The provider name `sandbox` means that only for services that announce extensions; a server of
 * another service with that provider name may be real.
 */
export const isSimulated = (server: Pick<Server, 'provider'>, { extensions }: Pick<Connection, 'extensions'>): boolean =>
  extensions && server.provider === 'sandbox'

/** The first usable connection, or the reason why none is usable. */
export async function chooseConnection(ranked: readonly Connection[]): Promise<{ connection: Connection } | { problem: Problem }> {
  const able = ranked.find(canAct)
  if (able) return { connection: able }
  const frozen = ranked.find(isFrozen)
  if (frozen) return { problem: await describeFrozen(frozen) }
  if (ranked.some(({ state }) => state === 'rejected')) return { problem: problem('key_rejected') }
  return { problem: problem(ranked.length > 0 ? 'key_locked' : 'no_connection') }
}
