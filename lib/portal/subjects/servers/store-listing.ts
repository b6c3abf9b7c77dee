/** Brings the rows up to date with a list from a connection, using a few statements for hundreds of servers. */
import 'server-only'
import type { contract } from '@/lib/contract'
import type { Answer } from '@/lib/contract/operation'
import { storableText } from '@/lib/database/values'
import { upstreamOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import {
  findUnprovenSince,
  insertServers,
  linkServers,
  markUnlistedGone,
  noteListed,
  unlinkServers,
  updateServers,
} from '@/lib/portal/base/sql/listing'
import { nextTurn, slicesOf } from '@/lib/portal/base/turns'
import { showBidiControls } from '@/lib/text/bidi'
import type { Connection, Server } from '@/prisma/generated/portal/client'
import { settleDeletes } from './settle'

export type ListedItem = Answer<typeof contract.servers.list>['items'][number]

type Known = Pick<Server, 'id' | 'upstreamId' | 'goneAt' | keyof ReturnType<typeof membersOf>>

/**
 * If a service does not report the address, the known one stays. Bidirectional control characters become visible codes here, so that no
 * page, title, log or job has to handle them; the codes can be typed to confirm.
 */
/** The database parses the JSON list itself, so none of its text passes through the driver. */
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
 * `items` is the answer to a request made at `askedAt`. Writes only what is new, changed or gone, in slices, because the database is
 * written synchronously and blocks the process meanwhile. Only a complete list shows what is gone.
 */
export async function storeListing(
  connection: Connection,
  items: readonly ListedItem[],
  askedAt: Date,
  { whole = true }: { whole?: boolean } = {},
): Promise<void> {
  const place = { teamId: connection.teamId, origin: upstreamOf(connection) }
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
  // A server that was seen after the request (just created) is not judged by an older answer.
  for (const lost of slicesOf(await findUnprovenSince(connection.id, askedAt), storedAtOnce)) {
    await dropLost(connection, lost, askedAt)
    await nextTurn()
  }
}

/** What was learned after the request is not reverted by an older answer. */
async function writeListed(connection: Connection, listed: ReadonlyMap<string, ListedItem>, seen: readonly Known[], askedAt: Date) {
  const place = { teamId: connection.teamId, origin: upstreamOf(connection) }
  const known = new Set(seen.map(({ upstreamId }) => upstreamId))
  const fresh = [...listed.values()]
    .filter(({ id }) => !known.has(id))
    .map((item) => ({ id: createOpaqueId(), upstreamId: item.id, ...membersOf(item) }))
  const changed = seen.flatMap((row) => {
    const item = listed.get(row.upstreamId)
    const now = item && membersOf(item, row)
    return now && (row.goneAt !== null || memberNames.some((name) => row[name] !== now[name])) ? [{ id: row.id, ...now }] : []
  })
  const upstreamIds = [...listed.keys()]
  await db().$transaction([
    insertServers(place, fresh, askedAt),
    updateServers(changed, askedAt),
    noteListed(place, upstreamIds, askedAt),
    linkServers(place, connection.id, upstreamIds, askedAt),
  ])
}

/** Servers missing from this list; those that no other connection lists either are gone. */
async function dropLost(connection: Connection, lost: readonly string[], askedAt: Date): Promise<void> {
  await db().$transaction([unlinkServers(connection.id, lost, askedAt), markUnlistedGone(lost, new Date())])
  await settleDeletes(lost, askedAt, 'gone')
}
