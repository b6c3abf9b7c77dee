/** The servers a person may see: the union over their usable connections. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import type { Connection } from '@/prisma/generated/portal/client'
import { findSimulating, listUsableConnections } from '../access/connections'
import { db } from '../db'
import type { Actor } from '../identity/actor'
import { readListedServers } from './read-list'
import { refreshServers } from './refresh'
import { findStored } from './refresh-cache'
import type { ConnectionRow, ListedServer } from './row'

export type { ConnectionRow, ListedServer } from './row'

export type ServerList = { servers: ListedServer[]; connections: ConnectionRow[] }

/**
 * Asks every connection (each at most once in 2 s, all at the same time). One that fails yields its problem, and its
 * servers as last known. Nothing in the answer changes while nothing does.
 */
export async function listServers(actor: Actor): Promise<ServerList> {
  const asked = await listUsableConnections(actor)
  const problems = new Map(await Promise.all(asked.map(async (connection) => [connection.id, await refreshServers(connection)] as const)))
  // Read again: asking may have taught us that a key is refused.
  return readList(actor, await listUsableConnections(actor), problems)
}

/** The list as last known, at once: no service is asked. Null where some connection never listed anything yet. */
export async function findKnownServers(actor: Actor): Promise<ServerList | null> {
  const connections = await listUsableConnections(actor)
  return connections.some(({ provenAt }) => provenAt === null) ? null : readList(actor, connections, new Map())
}

async function readList(
  actor: Actor,
  connections: readonly Connection[],
  problems: ReadonlyMap<string, Problem | null>,
): Promise<ServerList> {
  const servers = await readListedServers(actor, connections)
  const rows = connections.map(async (connection) => {
    const { id, label, state } = connection
    const problem = problems.get(id) ?? null
    const { cut, unread } = findStored(id) ?? { cut: null, unread: 0 }
    const simulates = findSimulating([connection]) !== undefined
    return { id, label, state, simulates, problem, listedAt: problem && (await findListedAt(id)), cut, unread }
  })
  return { servers, connections: await Promise.all(rows) }
}

async function findListedAt(connectionId: string): Promise<string | null> {
  const { _max } = await db().serverOnConnection.aggregate({ where: { connectionId }, _max: { provenAt: true } })
  return _max.provenAt?.toISOString() ?? null
}
