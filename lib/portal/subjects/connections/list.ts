/** The connections a user may use or govern, for the page Connections. Never contains an API key or part of one. */
import 'server-only'
import { contract } from '@/lib/contract'
import { canAct, listOthersOwn, listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { type Keeper, may, mayKeep } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import type { Connection } from '@/prisma/generated/portal/client'
import { findStored } from '../listing/cache'
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
  /** The number of servers it lists, and of running jobs that are followed through it. servers: null until this user's next list has them. */
  servers: number | null
  jobs: number
  /** It is the only one of the team's that is not frozen: frozen, nothing is called for members without a connection of their own. */
  lastOfTeam: boolean
  /** ISO. */
  createdAt: string
  /** ISO; null before the first use. */
  lastUsedAt: string | null
  /** Why this user may not change it, and why nobody can remove it; null if possible. */
  changeRefusal: string | null
  removeRefusal: string | null
}

/** Usable ones first, then other members' own ones for those who keep the team's; each oldest first. None for a guest. */
export async function listConnections(actor: Person): Promise<ConnectionView[]> {
  if (!may(actor.role, 'teamConnections', 'read')) return []
  const others = may(actor.role, 'teamConnections', 'change') ? await listOthersOwn(actor) : []
  const connections = [...(await listUsableConnections(actor)), ...others]
  const [servers, jobs, names] = await Promise.all([countServers(connections), countJobs(connections), readNames(connections)])
  const [last, ...more] = connections.filter(({ ownerId, frozenAt }) => ownerId === null && frozenAt === null)
  const lastId = more.length === 0 && last ? last.id : null
  return Promise.all(connections.map((connection) => toView(actor, connection, { servers, jobs, names, lastId })))
}

/** lastId: of the team's only connection that is not frozen; null if there are several or none. */
type Beside = {
  servers: ReadonlyMap<string, number>
  jobs: ReadonlyMap<string, number>
  names: ReadonlyMap<string, string>
  lastId: string | null
}

/** The number of servers that each lists, by its id. */
async function countServers(connections: readonly Connection[]): Promise<Map<string, number>> {
  const counts = await db().serverOnConnection.groupBy({
    by: ['connectionId'],
    where: { connectionId: { in: connections.map(({ id }) => id) }, server: { goneAt: null } },
    _count: true,
  })
  return new Map(counts.map(({ connectionId, _count }) => [connectionId, _count]))
}

async function countJobs(connections: readonly Connection[]): Promise<Map<string, number>> {
  const counts = await db().job.groupBy({
    by: ['connectionId'],
    where: { state: 'running', connectionId: { in: connections.map(({ id }) => id) } },
    _count: true,
  })
  return new Map(counts.flatMap(({ connectionId, _count }) => (connectionId === null ? [] : [[connectionId, _count] as const])))
}

/** The names of owners and of those who froze one, by user id. */
async function readNames(connections: readonly Connection[]): Promise<Map<string, string>> {
  const ids = connections.flatMap(({ ownerId, frozenById }) => [ownerId, frozenById]).filter((id) => id !== null)
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  return new Map(users.map(({ id, name }) => [id, name]))
}

async function toView(actor: Person, connection: Connection, { servers, jobs, names, lastId }: Beside): Promise<ConnectionView> {
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
    servers: servers.get(id) ?? (foreign || !canAct(connection) || findStored(contract.servers.list.id, id) ? 0 : null),
    jobs: jobs.get(id) ?? 0,
    lastOfTeam: id === lastId,
    createdAt: connection.createdAt.toISOString(),
    lastUsedAt: connection.lastUsedAt?.toISOString() ?? null,
    changeRefusal: foreign ? 'Only its owner can use or change it.' : keepRefusal,
    removeRefusal: keepRefusal ?? formatKeptReason(connection),
  }
}
