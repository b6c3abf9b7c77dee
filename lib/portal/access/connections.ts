/** Which connections a user may use, and which of them serves a server. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import { findListingConnections } from '@/lib/portal/base/sql/listing-connections'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import type { Connection, Server } from '@/prisma/generated/portal/client'
import { describeFrozen, isFrozen } from './frozen'
import type { Right } from './grants/compile'
import type { Need, Place } from './grants/grant'
import { rightOf } from './grants/read'
import { mayUse, rankOf } from './loans/compile'
import { type Borrower, lendingOf, lendingTo } from './loans/read'

/** The user whose own connections, and those lent to them, count in addition to the team's; null for a token and for Gatehouse itself. */
export const ownerOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.user.id : null)

/** Whose connections count: the team's, and those of one of its members. */
export type ConnectionScope = { teamId: string; ownerId: string | null }

/** All members of a team can use its connections; a personal one works for its owner, and for those to whom it is lent. */
const within = ({ teamId, ownerId }: ConnectionScope) => ({ teamId, OR: [{ ownerId: null }, { ownerId }] })

const scopeOf = (actor: Actor): ConnectionScope => ({ teamId: actor.team.id, ownerId: ownerOf(actor) })

/** The actor's own connections, and those of the team that list something in their grants, oldest first. Lent ones are not among them. */
export async function listUsableConnections(actor: Actor): Promise<readonly Connection[]> {
  const [connections, right] = await Promise.all([listWithin(actor), rightOf(actor)])
  if (right.seen.everything) return connections
  const listing = await findListing(actor.team.id, right)
  return connections.filter(({ id, ownerId }) => ownerId !== null || listing.has(id))
}

/** The connections that may list something for this actor: the same, then those that are lent to them, for part of what they list. */
export async function listListingConnections(actor: Actor): Promise<readonly Connection[]> {
  const [usable, lent] = await Promise.all([listUsableConnections(actor), listLentConnections(actor)])
  return [...usable, ...lent]
}

/** Other members' own connections that are lent to this actor and list something in their grants, oldest first. */
export async function listLentConnections(actor: Actor): Promise<readonly Connection[]> {
  const [{ rights }, right] = await Promise.all([lendingOf(actor), rightOf(actor)])
  if (rights.size === 0) return []
  const where = { teamId: actor.team.id, id: { in: [...rights.keys()] } }
  const lent = await db().connection.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  if (right.seen.everything) return lent
  const listing = await findListing(actor.team.id, right)
  return lent.filter(({ id }) => listing.has(id))
}

/** The ids of connections that list one of these servers, a site of theirs, or one of these sites. */
function findListing(teamId: string, right: Right): Promise<Set<string>> {
  const found =
    listings.get(right) ?? findListingConnections({ teamId, serverIds: [...right.seen.servers], siteIds: [...right.seen.sites] })
  listings.set(right, found)
  found.catch(() => listings.delete(right))
  return found
}

/** Every write leads to another right, so what is known of one is never stale. */
const listings = new WeakMap<Right, Promise<Set<string>>>()

function listWithin(actor: Actor): Promise<readonly Connection[]> {
  return cachedUntilWrite(`connections ${actor.team.id} ${ownerOf(actor)}`, () =>
    db().connection.findMany({
      where: within(scopeOf(actor)),
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  )
}

/** Other members' own connections, oldest first: to be seen, frozen and removed by those who keep the team's; used only if they are lent. */
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

/** A server or site, which connections list. */
export type ListedPlace = Exclude<Place, { kind: 'everywhere' }>

/**
 * The connections that list a server or site, of those that the actor may use there: own before shared before lent ones, then the most
 * recently verified. An API key of another account at the same origin lists neither, so it is not included.
 */
export async function rankConnections(actor: Actor, place: ListedPlace): Promise<Connection[]> {
  return keepUsable(actor, await readCandidates(scopeOf(actor), place), place)
}

/** The same from what was read before: loans begin and end without a write. need: only those that may be used for that. */
export async function keepUsable(actor: Actor, candidates: readonly Connection[], place: Place, need?: Need): Promise<Connection[]> {
  const lending = await lendingOf(actor)
  return candidates.filter((connection) => mayUse(connection, ownerOf(actor), lending, place, need))
}

/** The same without an actor, for a job whose starter may have signed out. */
export async function rankFor(borrower: Borrower, place: ListedPlace, need?: Need): Promise<Connection[]> {
  const { teamId, userId } = borrower
  const [candidates, lending] = await Promise.all([readCandidates({ teamId, ownerId: userId }, place), lendingTo(borrower)])
  return candidates.filter((connection) => mayUse(connection, userId, lending, place, need))
}

/** In the order of rankConnections: those that list it and are the team's, the member's own, or lent to anybody at all. */
export async function readCandidates(scope: ConnectionScope, place: ListedPlace): Promise<Connection[]> {
  const { teamId, ownerId } = scope
  const [connection, include] = [{ teamId, OR: [{ ownerId: null }, { ownerId }, { loans: { some: {} } }] }, { connection: true }]
  const links =
    place.kind === 'server'
      ? await db().serverOnConnection.findMany({ where: { serverId: place.serverId, connection }, include })
      : await db().siteOnConnection.findMany({ where: { siteId: place.siteId, connection }, include })
  return links
    .sort((a, b) => rankOf(a.connection, ownerId) - rankOf(b.connection, ownerId) || b.provenAt.getTime() - a.provenAt.getTime())
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
