/** The connections a user may use or govern, for the page Connections. Never contains an API key or part of one. */
import 'server-only'
import { listOthersOwn, listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { type Keeper, may, mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { formatKeeper, keeperOf } from './find'
import { findThawRefusal } from './freeze'
import { formatKeptReason } from './remove'

export type ConnectionView = {
  id: string
  label: string
  /** https://host[:port][/path]; empty for the bundled service. */
  address: string
  bundled: boolean
  keeper: Keeper
  /** The name of its owner, if that is another member; nobody but them uses it. */
  ownerName: string | null
  /** By whom and since when (ISO) it is frozen; null if it is not. by: empty for Gatehouse itself. */
  frozen: { by: string; at: string } | null
  /** Why this user may not freeze it, or thaw it if it is frozen; null if possible. */
  freezeRefusal: string | null
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

/** Usable ones first, then other members' own ones for those who keep the team's; each oldest first. */
export async function listConnections(actor: Person): Promise<ConnectionView[]> {
  const others = may(actor.role, 'teamConnections', 'change') ? await listOthersOwn(actor) : []
  const connections = [...(await listUsableConnections(actor)), ...others]
  const [servers, names] = await Promise.all([countServers(connections), readNames(connections)])
  return Promise.all(connections.map((connection) => toView(actor, connection, { servers, names })))
}

type Beside = { servers: ReadonlyMap<string, number>; names: ReadonlyMap<string, string> }

/** The number of servers that each lists, by its id. */
async function countServers(connections: readonly Connection[]): Promise<Map<string, number>> {
  const counts = await db().serverOnConnection.groupBy({
    by: ['connectionId'],
    where: { connectionId: { in: connections.map(({ id }) => id) }, server: { goneAt: null } },
    _count: true,
  })
  return new Map(counts.map(({ connectionId, _count }) => [connectionId, _count]))
}

/** The names of owners and of those who froze one, by user id. */
async function readNames(connections: readonly Connection[]): Promise<Map<string, string>> {
  const ids = connections.flatMap(({ ownerId, frozenById }) => [ownerId, frozenById]).filter((id) => id !== null)
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  return new Map(users.map(({ id, name }) => [id, name]))
}

async function toView(actor: Person, connection: Connection, { servers, names }: Beside): Promise<ConnectionView> {
  const { id, ownerId, frozenAt, frozenById } = connection
  const keeper = keeperOf(connection)
  const bundled = connection.kind === 'bundled'
  const foreign = ownerId !== null && ownerId !== actor.user.id
  const keepRefusal = foreign || mayKeep(actor.role, keeper) ? null : formatKeeper(keeper)
  return {
    id,
    label: connection.label,
    address: bundled ? '' : upstreamOf(connection),
    bundled,
    keeper,
    ownerName: foreign ? (names.get(ownerId) ?? '') : null,
    frozen: frozenAt && { by: frozenById === null ? '' : (names.get(frozenById) ?? 'A former member'), at: frozenAt.toISOString() },
    freezeRefusal: keepRefusal ?? (frozenAt ? await findThawRefusal(actor, connection) : null),
    state: connection.state,
    fingerprint: connection.fingerprint,
    servers: servers.get(id) ?? 0,
    createdAt: connection.createdAt.toISOString(),
    lastUsedAt: connection.lastUsedAt?.toISOString() ?? null,
    changeRefusal: foreign ? 'Only its owner can use or change it.' : keepRefusal,
    removeRefusal: keepRefusal ?? formatKeptReason(connection),
  }
}
