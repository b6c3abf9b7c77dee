/** Brings the rows up to date with a list that a connection gave: a few statements for hundreds of servers. */
import 'server-only'
import type { contract } from '@/lib/contract'
import type { Answer } from '@/lib/contract/operation'
import { storableText } from '@/lib/database/values'
import { placeOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { nextTurn, slicesOf } from '@/lib/portal/base/turns'
import { showBidiControls } from '@/lib/text/bidi'
import type { Connection, Server } from '@/prisma/generated/portal/client'
import { settleDeletes } from './settle'

export type ListedItem = Answer<typeof contract.servers.list>['items'][number]

type Known = Pick<Server, 'id' | 'upstreamId' | 'goneAt' | keyof ReturnType<typeof membersOf>>

/**
 * Where a service says nothing of the address, what is known of it stays. Characters that turn the direction of text become
 * visible codes here, so that no page, title, log or job has to think of them; they can be typed to confirm.
 */
/** The database takes the list apart itself, so no text of it goes through the driver. */
const shown = (text: string) => storableText(showBidiControls(text))

const membersOf = (item: ListedItem, known?: { address: string }) => ({
  name: shown(item.name),
  hostname: shown(item.hostname),
  dns: shown(item.dns),
  provider: item.provider ?? '',
  state: item.state ?? '',
  hostKey: item.host_key ?? '',
  address: shown(item.ip ?? known?.address ?? ''),
})

const memberNames = ['name', 'hostname', 'dns', 'provider', 'state', 'hostKey', 'address'] as const
const members = Object.fromEntries(memberNames.map((name) => [name, true])) as Record<(typeof memberNames)[number], true>

const storedAtOnce = 250

/**
 * `items` is what was answered to a question asked at `askedAt`. Writes only what is new, has changed or is gone, so many
 * at a time: the database is written synchronously, and everything else waits meanwhile. Only a whole list tells what is
 * gone.
 */
export async function storeListing(
  connection: Connection,
  items: readonly ListedItem[],
  askedAt: Date,
  { whole = true }: { whole?: boolean } = {},
): Promise<void> {
  const place = { teamId: connection.teamId, origin: placeOf(connection) }
  for (const slice of slicesOf([...new Map(items.map((item) => [item.id, item])).values()], storedAtOnce)) {
    const listed = new Map(slice.map((item) => [item.id, item]))
    const seen = await db().server.findMany({
      where: { ...place, upstreamId: { in: [...listed.keys()] } },
      select: { id: true, upstreamId: true, goneAt: true, ...members },
    })
    await writeListed(connection, listed, seen, askedAt)
    await settleDeletes(
      seen.map(({ id }) => id),
      askedAt,
      'still there',
    )
    await nextTurn()
  }
  if (!whole) return
  for (const lost of slicesOf(await findLost(connection, askedAt), storedAtOnce)) {
    await dropLost(connection, lost, askedAt)
    await nextTurn()
  }
}

/** What was proven after the question was asked (just created) is not judged by an answer older than itself. */
async function findLost({ id }: Connection, askedAt: Date): Promise<string[]> {
  const [row] = await db().$queryRaw<[{ ids: string }]>`
    SELECT json_group_array("serverId") AS "ids" FROM "ServerOnConnection" WHERE "connectionId" = ${id} AND "provenAt" < ${askedAt}`
  return JSON.parse(row.ids)
}

/**
 * The lists go to the database as JSON, which it takes apart itself: single statements would take seconds for thousands.
 * What was learned after the question was asked is not undone by an answer older than itself.
 */
async function writeListed(connection: Connection, listed: ReadonlyMap<string, ListedItem>, seen: readonly Known[], askedAt: Date) {
  const place = { teamId: connection.teamId, origin: placeOf(connection) }
  const known = new Set(seen.map(({ upstreamId }) => upstreamId))
  const fresh = [...listed.values()]
    .filter(({ id }) => !known.has(id))
    .map((item) => ({ id: createOpaqueId(), upstreamId: item.id, ...membersOf(item) }))
  const changed = seen.flatMap((row) => {
    const item = listed.get(row.upstreamId)
    const now = item && membersOf(item, row)
    return now && (row.goneAt !== null || memberNames.some((name) => row[name] !== now[name])) ? [{ id: row.id, ...now }] : []
  })
  const upstreamIds = JSON.stringify([...listed.keys()])
  await db().$transaction([
    db().$executeRaw`
      INSERT INTO "Server" ("id", "teamId", "origin", "upstreamId", "name", "hostname", "dns", "provider", "state", "hostKey", "address",
        "createdAt", "listedAt")
      SELECT value->>'id', ${place.teamId}, ${place.origin}, value->>'upstreamId', value->>'name', value->>'hostname', value->>'dns',
        value->>'provider', value->>'state', value->>'hostKey', value->>'address', ${askedAt}, ${askedAt}
      FROM json_each(${JSON.stringify(fresh)}) WHERE true ON CONFLICT DO NOTHING`,
    db().$executeRaw`
      UPDATE "Server" SET "name" = item.value->>'name', "hostname" = item.value->>'hostname', "dns" = item.value->>'dns',
        "provider" = item.value->>'provider', "state" = item.value->>'state', "hostKey" = item.value->>'hostKey',
        "address" = item.value->>'address', "goneAt" = NULL
      FROM json_each(${JSON.stringify(changed)}) AS item WHERE "Server"."id" = item.value->>'id' AND "listedAt" <= ${askedAt}`,
    db().$executeRaw`
      UPDATE "Server" SET "listedAt" = ${askedAt}
      WHERE "listedAt" < ${askedAt} AND "teamId" = ${place.teamId} AND "origin" = ${place.origin} AND "upstreamId" IN (SELECT value FROM json_each(${upstreamIds}))`,
    db().$executeRaw`
      INSERT INTO "ServerOnConnection" ("serverId", "connectionId", "provenAt")
      SELECT "id", ${connection.id}, ${askedAt} FROM "Server"
      WHERE "teamId" = ${place.teamId} AND "origin" = ${place.origin} AND "upstreamId" IN (SELECT value FROM json_each(${upstreamIds}))
      ON CONFLICT DO UPDATE SET "provenAt" = max("provenAt", excluded."provenAt")`,
  ])
}

/** Servers that this list no longer has; gone are those that no other connection lists either. */
async function dropLost(connection: Connection, lost: readonly string[], askedAt: Date): Promise<void> {
  const ids = JSON.stringify(lost)
  await db().$transaction([
    db().$executeRaw`
      DELETE FROM "ServerOnConnection"
      WHERE "connectionId" = ${connection.id} AND "provenAt" < ${askedAt} AND "serverId" IN (SELECT value FROM json_each(${ids}))`,
    db().$executeRaw`
      UPDATE "Server" SET "goneAt" = ${new Date()}
      WHERE "goneAt" IS NULL AND "id" IN (SELECT value FROM json_each(${ids}))
        AND NOT EXISTS (SELECT 1 FROM "ServerOnConnection" WHERE "serverId" = "Server"."id")`,
  ])
  await settleDeletes(lost, askedAt, 'gone')
}
