/** Updates the rows from a connection's list, hundreds of items per statement. */
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
 * `items` is the answer to a request sent at `askedAt`. Writes only new, changed and missing items, in slices: database writes are
 * synchronous and block everything else meanwhile. Items count as gone only if the list is `whole`.
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
  // Rows verified after the request was sent (such as just created ones) are newer than this list, so they stay.
  for (const lost of slicesOf(await kind.rows.findUnproven(connection.id, askedAt), storedAtOnce)) {
    // Once they are marked, no later list finds them: a process after a kill has to find them again.
    await kind.onListed(lost, askedAt, 'gone')
    await db().$transaction([kind.rows.unlink(connection.id, lost, askedAt), kind.rows.markUnlistedGone(lost, new Date())])
    await nextTurn()
  }
}

const teamAndOrigin = (connection: Connection) => ({ teamId: connection.teamId, origin: upstreamOf(connection) })

/** Keeps values that are newer than the request. */
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
    ...(rows.relate ? [rows.relate(place, upstreamIds)] : []),
  ])
}
