/** The servers a person may see: the union over their usable connections. */
import 'server-only'
import { listUsableConnections } from '../access/connections'
import { db } from '../db'
import type { Actor } from '../identity/actor'
import { refreshServers } from './refresh'
import { beside, type ConnectionRow, type ServerRow, toServerRow, visibleTo } from './row'

export type { ConnectionRow, ServerRow } from './row'

/**
 * Asks every connection (each at most once in 2 s, all at the same time). One that fails yields its problem, and its
 * servers as last known: their `listedAt` tells how old that is.
 */
export async function listServers(actor: Actor): Promise<{ servers: ServerRow[]; connections: ConnectionRow[] }> {
  const asked = await listUsableConnections(actor)
  const problems = new Map(await Promise.all(asked.map(async (connection) => [connection.id, await refreshServers(connection)] as const)))
  // Read again: asking may have taught us that a key is refused.
  const [connections, servers] = await Promise.all([
    listUsableConnections(actor),
    db().server.findMany({ where: visibleTo(actor), include: beside, orderBy: [{ name: 'asc' }, { id: 'asc' }] }),
  ])
  return {
    servers: servers.map((server) => toServerRow(actor, server)),
    connections: connections.map(({ id, label, kind, state }) => ({ id, label, kind, state, problem: problems.get(id) ?? null })),
  }
}
