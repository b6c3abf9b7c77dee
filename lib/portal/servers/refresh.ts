/** Asks a connection for its servers and brings the rows up to date. */
import 'server-only'
import { contract } from '@/lib/contract'
import type { Answer } from '@/lib/contract/operation'
import type { Problem } from '@/lib/contract/problem'
import type { Connection, Server } from '@/prisma/generated/portal/client'
import { canAct, placeOf } from '../access/connections'
import { createOpaqueId } from '../access/opaque-id'
import { db } from '../db'
import { prepareRequest } from '../prepare-request'
import { callConnection } from '../run-operation'
import { shareListing } from './refresh-cache'
import { settleDeletes } from './settle'

type Item = Answer<typeof contract.servers.list>['items'][number]

// A key that was refused is tried again now and then, never in step with somebody's polling.
const unableRetryMs = 60_000

/** Null where the list came (or came less than 2 s ago), else why not; the rows then stay as they were. */
export function refreshServers(connection: Connection): Promise<Problem | null> {
  return shareListing(connection.id, () => refresh(connection), canAct(connection) ? undefined : unableRetryMs)
}

async function refresh(connection: Connection): Promise<Problem | null> {
  const askedAt = new Date()
  const request = prepareRequest(contract.servers.list, { connection, server: null, pathParameters: {} }, {})
  if (!request.ok) return request.problem
  const outcome = await callConnection(connection, contract.servers.list, request.data)
  if (!outcome.ok) return outcome.problem
  await storeListing(connection, outcome.data.items, askedAt)
  return null
}

const membersOf = (item: Item) => ({
  name: item.name,
  hostname: item.hostname,
  dns: item.dns,
  provider: item.provider ?? '',
  state: item.state ?? '',
  hostKey: item.host_key ?? '',
})

const differs = (row: Server, item: Item): boolean =>
  row.goneAt !== null || Object.entries(membersOf(item)).some(([name, value]) => row[name as keyof ReturnType<typeof membersOf>] !== value)

/** Writes only what changed: a list that is polled must not rewrite every row. */
async function storeListing(connection: Connection, items: readonly Item[], askedAt: Date): Promise<void> {
  const place = { teamId: connection.teamId, origin: placeOf(connection) }
  const listed = new Map(items.map((item) => [item.id, item]))
  const rows = await db().server.findMany({ where: { ...place, upstreamId: { in: [...listed.keys()] } } })
  const known = new Map(rows.map((row) => [row.upstreamId, row]))
  const links = await db().serverOnConnection.findMany({ where: { connectionId: connection.id } })
  const linked = new Set(links.map(({ serverId }) => serverId))
  const fresh = [...listed.values()]
    .filter(({ id }) => !known.has(id))
    .map((item) => ({ id: createOpaqueId(), ...place, upstreamId: item.id, ...membersOf(item), listedAt: askedAt }))
  const seen = [...rows, ...fresh].map(({ id }) => id)
  const changed = rows.flatMap((row) => {
    const item = listed.get(row.upstreamId)
    // What was learned after the question was asked is not undone by an answer older than itself.
    const where = { id: row.id, listedAt: { lte: askedAt } }
    return item && differs(row, item) ? [db().server.updateMany({ where, data: { ...membersOf(item), goneAt: null } })] : []
  })
  const unlinked = seen.filter((id) => !linked.has(id)).map((serverId) => ({ serverId, connectionId: connection.id, provenAt: askedAt }))
  await db().$transaction([
    db().server.createMany({ data: fresh }),
    ...changed,
    db().server.updateMany({ where: { id: { in: seen }, listedAt: { lte: askedAt } }, data: { listedAt: askedAt } }),
    db().serverOnConnection.createMany({ data: unlinked }),
    db().serverOnConnection.updateMany({ where: { connectionId: connection.id, serverId: { in: seen } }, data: { provenAt: askedAt } }),
  ])
  await dropUnlisted(connection, new Set(seen), askedAt)
  await settleDeletes(
    rows.map(({ id }) => id),
    askedAt,
    'still there',
  )
}

/**
 * A server that this list no longer has. What was proven after the question was asked (just created) is not judged by
 * an answer older than itself.
 */
async function dropUnlisted(connection: Connection, seen: ReadonlySet<string>, askedAt: Date): Promise<void> {
  const links = await db().serverOnConnection.findMany({ where: { connectionId: connection.id, provenAt: { lt: askedAt } } })
  const lost = links.map(({ serverId }) => serverId).filter((id) => !seen.has(id))
  if (lost.length === 0) return
  await db().serverOnConnection.deleteMany({ where: { connectionId: connection.id, serverId: { in: lost } } })
  await db().server.updateMany({ where: { id: { in: lost }, goneAt: null, through: { none: {} } }, data: { goneAt: new Date() } })
  await settleDeletes(lost, askedAt, 'gone')
}
