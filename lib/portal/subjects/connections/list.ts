/** The connections a user may use, for the page Connections. Never contains an API key or part of one. */
import 'server-only'
import { listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { type Keeper, mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Actor } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { formatKeeper, keeperOf } from './find'
import { formatKeptReason } from './remove'

export type ConnectionView = {
  id: string
  label: string
  /** https://host[:port][/path]; empty for the bundled service. */
  address: string
  bundled: boolean
  keeper: Keeper
  /** untried, working, rejected, locked. */
  state: string
  /** Four groups of four digits, salted per row: distinguishes two keys of one connection, and reveals nothing else. */
  fingerprint: string
  /** The number of servers it lists. */
  servers: number
  /** ISO. */
  createdAt: string
  /** ISO; null before the first use. */
  lastUsedAt: string | null
  /** Why this user may not change it, and why nobody can remove it; null if possible. */
  changeRefusal: string | null
  removeRefusal: string | null
}

/** Oldest first. */
export async function listConnections(actor: Actor): Promise<ConnectionView[]> {
  const connections = await listUsableConnections(actor)
  const counts = await db().serverOnConnection.groupBy({
    by: ['connectionId'],
    where: { connectionId: { in: connections.map(({ id }) => id) }, server: { goneAt: null } },
    _count: true,
  })
  const servers = new Map(counts.map(({ connectionId, _count }) => [connectionId, _count]))
  return connections.map((connection) => toView(actor, connection, servers.get(connection.id) ?? 0))
}

function toView(actor: Actor, connection: Connection, servers: number): ConnectionView {
  const keeper = keeperOf(connection)
  const bundled = connection.kind === 'bundled'
  const changeRefusal = mayKeep(actor.role, keeper) ? null : formatKeeper(keeper)
  return {
    id: connection.id,
    label: connection.label,
    address: bundled ? '' : upstreamOf(connection),
    bundled,
    keeper,
    state: connection.state,
    fingerprint: connection.fingerprint,
    servers,
    createdAt: connection.createdAt.toISOString(),
    lastUsedAt: connection.lastUsedAt?.toISOString() ?? null,
    changeRefusal,
    removeRefusal: changeRefusal ?? formatKeptReason(connection),
  }
}
