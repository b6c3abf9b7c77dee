/** Brings the rows up to date with a list that a connection gave: a few statements for hundreds of them. */
import 'server-only'
import { upstreamOf } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { nextTurn, slicesOf } from '@/lib/portal/base/turns'
import type { Connection } from '@/prisma/generated/portal/client'
import type { KnownRow, ListedItem, ListingKind, ListOperation } from './kind'

const storedAtOnce = 250

type Members = Readonly<Record<string, string>>

/**
 * `items` is what was answered to a question asked at `askedAt`. Writes only what is new, has changed or is gone, so many
 * at a time: the database is written synchronously, and everything else waits meanwhile. Only a whole list tells what is
 * gone.
 */
export async function storeListing<Op extends ListOperation, M extends Members>(
  kind: ListingKind<Op, M>,
  connection: Connection,
  items: readonly ListedItem<Op>[],
  askedAt: Date,
  { whole = true }: { whole?: boolean } = {},
): Promise<void> {
  for (const slice of slicesOf([...new Map(items.map((item) => [item.id, item])).values()], storedAtOnce)) {
    const seen = await kind.rows.find(
      teamAndOrigin(connection),
      slice.map(({ id }) => id),
    )
    await writeListed(kind, connection, slice, seen, askedAt)
    await kind.onListed(
      seen.map(({ id }) => id),
      askedAt,
      'still there',
    )
    await nextTurn()
  }
  if (!whole) return
  // What was proven after the question was asked (just created) is not judged by an answer older than itself.
  for (const lost of slicesOf(await kind.rows.findUnproven(connection.id, askedAt), storedAtOnce)) {
    await db().$transaction([kind.rows.unlink(connection.id, lost, askedAt), kind.rows.markUnlistedGone(lost, new Date())])
    await kind.onListed(lost, askedAt, 'gone')
    await nextTurn()
  }
}

const teamAndOrigin = (connection: Connection) => ({ teamId: connection.teamId, origin: upstreamOf(connection) })

/** What was learned after the question was asked is not undone by an answer older than itself. */
async function writeListed<Op extends ListOperation, M extends Members>(
  { membersOf, rows }: ListingKind<Op, M>,
  connection: Connection,
  listed: readonly ListedItem<Op>[],
  seen: readonly KnownRow<M>[],
  askedAt: Date,
): Promise<void> {
  const place = teamAndOrigin(connection)
  const known = new Map(seen.map((row) => [row.upstreamId, row]))
  const fresh = listed.filter(({ id }) => !known.has(id)).map((item) => ({ ...membersOf(item), id: createOpaqueId(), upstreamId: item.id }))
  const changed = listed.flatMap((item) => {
    const row = known.get(item.id)
    const now = row && membersOf(item, row)
    return now && (row.goneAt !== null || Object.keys(now).some((name) => row[name] !== now[name])) ? [{ ...now, id: row.id }] : []
  })
  const upstreamIds = listed.map(({ id }) => id)
  await db().$transaction([
    rows.insert(place, fresh, askedAt),
    rows.update(changed, askedAt),
    rows.noteListed(place, upstreamIds, askedAt),
    rows.link(place, connection.id, upstreamIds, askedAt),
  ])
}
