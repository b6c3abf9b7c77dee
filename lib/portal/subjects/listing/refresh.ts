/** Lists a subject over a connection and updates the rows. */
import 'server-only'
import { createHash } from 'node:crypto'
import type { Cut, Problem } from '@/lib/contract/problem'
import { canAct } from '@/lib/portal/access/connections'
import { findFrozen } from '@/lib/portal/access/frozen'
import { isGone } from '@/lib/portal/base/transaction'
import { createSlices, slicesOf } from '@/lib/portal/base/turns'
import { writeAside } from '@/lib/portal/base/write-aside'
import { prepareRequest } from '@/lib/portal/spine/prepare-request'
import { callConnection } from '@/lib/portal/upstream/unattended'
import type { Connection } from '@/prisma/generated/portal/client'
import { findStored, noteStored, shareListing } from './cache'
import type { ListedItem, ListingKind, ListOperation } from './kind'
import { storeListing } from './store'

// A refused key is retried at its own interval, independent of polling.
const unableRetryMs = 60_000
// An unchanged list is stored again this often, only to update the time it was seen.
const sameAgainMs = 60_000
const digestedAtOnce = 500

type Members = Readonly<Record<string, string>>

/** Null if the list was read now, or at most `maxAgeMs` ago (by default a moment), else the problem; the rows are then unchanged. */
export function refreshListing<Op extends ListOperation, M extends Members>(
  kind: ListingKind<Op, M>,
  connection: Connection,
  maxAgeMs?: number,
): Promise<Problem | null> {
  const sharedMs = canAct(connection) ? maxAgeMs : unableRetryMs
  return shareListing(kind.operation.id, connection.id, () => refresh(kind, connection), sharedMs)
}

async function refresh<Op extends ListOperation, M extends Members>(
  kind: ListingKind<Op, M>,
  connection: Connection,
): Promise<Problem | null> {
  const askedAt = new Date()
  const request = prepareRequest(kind.operation, { connection, server: null, pathParameters: {} }, {})
  if (!request.ok) return request.problem
  const outcome = await callConnection(connection, kind.operation, request.data)
  if (!outcome.ok) return outcome.problem
  const listing = { items: outcome.data.items, cut: outcome.cut ?? null, unreadable: outcome.unreadable ?? 0 }
  try {
    await storeUnlessSame(kind, connection, listing, askedAt)
    return null
  } catch (error) {
    // Removed while its service answered: the lists of the other connections must not fail because of it.
    const removed = isGone(error) ? await findFrozen(connection.id) : null
    if (removed) return removed
    throw error
  }
}

type ReadListing<Item> = { items: readonly Item[]; cut: Cut | null; unreadable: number }

async function storeUnlessSame<Op extends ListOperation, M extends Members>(
  kind: ListingKind<Op, M>,
  connection: Connection,
  listing: ReadListing<ListedItem<Op>>,
  askedAt: Date,
): Promise<void> {
  const { items, ...rest } = listing
  const list = kind.operation.id
  const digest = await digestOf(listing)
  const stored = findStored(list, connection.id)
  const same = stored?.digest === digest
  if (same && askedAt.getTime() - stored.at < sameAgainMs) return
  // An unreadable item is not gone.
  const whole = rest.unreadable === 0
  const store = () =>
    storeListing(kind, connection, items, askedAt, { whole }).then(() =>
      noteStored(list, connection.id, { digest, at: askedAt.getTime(), ...rest }),
    )
  if (!same) return store()
  // Only updates the time at which the items were seen.
  writeAside(`${list} ${connection.id}`, store)
}

async function digestOf({ items, ...rest }: ReadListing<unknown>): Promise<string> {
  const hash = createHash('sha1').update(JSON.stringify(rest))
  const turn = createSlices()
  for (const slice of slicesOf(items, digestedAtOnce)) {
    hash.update(JSON.stringify(slice))
    await turn()
  }
  return hash.digest('base64')
}
