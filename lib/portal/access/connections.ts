/** Which connections a person may use, and which of them acts. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection, Server } from '@/prisma/generated/portal/client'

/** The person whose own connections count beside the team's; null for a token and for Gatehouse itself, which use the team's alone. */
export const ownerOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.user.id : null)

/** A connection of the team is everybody's; a person's own is theirs alone. */
const usableBy = (actor: Actor) => ({ teamId: actor.team.id, OR: [{ ownerId: null }, { ownerId: ownerOf(actor) }] })

/** Those that this person may use, oldest first. */
export function listUsableConnections(actor: Actor): Promise<readonly Connection[]> {
  return cachedUntilWrite(`connections ${actor.team.id} ${ownerOf(actor)}`, () =>
    db().connection.findMany({
      where: usableBy(actor),
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    }),
  )
}

/** How servers of this connection are told from those of another service. */
export function upstreamOf(connection: Pick<Connection, 'kind' | 'origin' | 'basePath'>): string {
  return connection.kind === 'bundled' ? connection.origin : `${connection.origin}${connection.basePath}`
}

type Listed = { kind: 'server' | 'site'; id: string }

/**
 * Those that list a server or a site, the one to act first: own before lent, then the one proven most recently. A key of
 * another account at the same origin lists neither, so it is not among them.
 */
export async function rankConnections(actor: Actor, { kind, id }: Listed): Promise<Connection[]> {
  const [connection, include] = [usableBy(actor), { connection: true }]
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

/** A key that was refused or cannot be opened stays out of use until it is replaced or a check finds it working. */
export const canAct = ({ state }: Pick<Connection, 'state'>): boolean => state === 'working' || state === 'untried'

/** The first that can act and whose service announces extensions: such a service simulates servers too. */
export const findSimulating = <C extends Pick<Connection, 'state' | 'extensions'>>(connections: readonly C[]): C | undefined =>
  connections.find((connection) => canAct(connection) && connection.extensions)

/**
 * Whether a server is simulated. Only services that announce extensions give the provider `sandbox` that meaning: a server
 * of another service with a provider of that name may be a real one.
 */
export const isSimulated = (server: Pick<Server, 'provider'>, { extensions }: Pick<Connection, 'extensions'>): boolean =>
  extensions && server.provider === 'sandbox'

/** The first that can act, or why none can. */
export function chooseConnection(ranked: readonly Connection[]): { connection: Connection } | { problem: Problem } {
  const able = ranked.find(canAct)
  if (able) return { connection: able }
  if (ranked.some(({ state }) => state === 'rejected')) return { problem: problem('key_rejected') }
  return { problem: problem(ranked.length > 0 ? 'key_locked' : 'no_connection') }
}
