/** The servers a user may see: the union over their usable connections. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { findSimulating, listUsableConnections } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { type Obstacle, readListedServers } from './read-list'
import { refreshServers } from './refresh'
import { findListingProblem, findStored } from './refresh-cache'
import type { ConnectionRow, ListedServer } from './row'

export type { ConnectionRow, ListedServer } from './row'

export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }

/**
 * Lists through every connection (each at most once in 2 s, all in parallel). A connection that fails contributes its problem, and its
 * servers as last known. The result stays identical while nothing changes.
 */
export async function listServers(actor: Actor): Promise<ServerList> {
  const asked = await listUsableConnections(actor)
  const problems = new Map(await Promise.all(asked.map(async (connection) => [connection.id, await refreshServers(connection)] as const)))
  // Read again, because listing may have shown that a key is refused.
  return readList(actor, await listUsableConnections(actor), problems)
}

/**
 * The list as last known, immediately, with the results of the newest attempts: no service is called. Null if some connection has
 * never listed anything.
 */
export async function findKnownServers(actor: Actor): Promise<ServerList | null> {
  const connections = await listUsableConnections(actor)
  return connections.some(({ provenAt }) => provenAt === null)
    ? null
    : readList(actor, connections, new Map(connections.map(({ id }) => [id, findListingProblem(id)])))
}

async function readList(
  actor: Actor,
  connections: readonly Connection[],
  problems: ReadonlyMap<string, Problem | null>,
): Promise<ServerList> {
  const obstacles = await readObstacles(connections, problems)
  const servers = await readListedServers(actor, connections, obstacles)
  const rows = connections.map((connection): ConnectionRow => {
    const { id, label, state } = connection
    const { problem = null, listedAt = null } = obstacles.get(id) ?? {}
    const { cut, unread } = findStored(id) ?? { cut: null, unread: 0 }
    const simulates = findSimulating([connection]) !== undefined
    return { id, label, state, simulates, problem, listedAt, cut, unread }
  })
  return { servers, connections: rows }
}

/** The connections that do not answer, or whose key is refused or locked, by id. */
export async function readObstacles(
  connections: readonly Connection[],
  problems: ReadonlyMap<string, Problem | null>,
): Promise<Map<string, Obstacle>> {
  const found = connections.map(async (connection) => {
    const reason = problems.get(connection.id) ?? problemOfState(connection)
    return reason ? [[connection.id, { problem: reason, listedAt: await findListedAt(connection.id) }] as const] : []
  })
  return new Map((await Promise.all(found)).flat())
}

function problemOfState({ state }: Connection): Problem | null {
  if (state === 'rejected') return problem('key_rejected')
  return state === 'locked' ? problem('key_locked') : null
}

async function findListedAt(connectionId: string): Promise<string | null> {
  const { _max } = await db().serverOnConnection.aggregate({ where: { connectionId }, _max: { provenAt: true } })
  return _max.provenAt?.toISOString() ?? null
}
