/** Lists a connection's servers and brings the rows up to date. */
import 'server-only'
import { createHash } from 'node:crypto'
import { contract } from '@/lib/contract'
import type { Cut, Problem } from '@/lib/contract/problem'
import { canAct } from '@/lib/portal/access/connections'
import { createSlices, slicesOf } from '@/lib/portal/base/turns'
import { writeAside } from '@/lib/portal/base/write-aside'
import { prepareRequest } from '@/lib/portal/spine/prepare-request'
import { callConnection } from '@/lib/portal/upstream/unattended'
import type { Connection } from '@/prisma/generated/portal/client'
import { findStored, noteStored, shareListing } from './refresh-cache'
import { type ListedItem, storeListing } from './store-listing'

// A refused key is retried at intervals, not with every poll.
const unableRetryMs = 60_000
// A list equal to the last one is stored again only for the time at which it was seen.
const sameAgainMs = 60_000
const digestedAtOnce = 500

/** Null if the list came (or came a moment ago), else the problem; the rows then stay as they were. */
export function refreshServers(connection: Connection): Promise<Problem | null> {
  return shareListing(connection.id, () => refresh(connection), canAct(connection) ? undefined : unableRetryMs)
}

async function refresh(connection: Connection): Promise<Problem | null> {
  const askedAt = new Date()
  const request = prepareRequest(contract.servers.list, { connection, server: null, pathParameters: {} }, {})
  if (!request.ok) return request.problem
  const outcome = await callConnection(connection, contract.servers.list, request.data)
  if (!outcome.ok) return outcome.problem
  await storeUnlessSame(connection, { items: outcome.data.items, cut: outcome.cut ?? null, unread: outcome.unread ?? 0 }, askedAt)
  return null
}

type ReadListing = { items: readonly ListedItem[]; cut: Cut | null; unread: number }

async function storeUnlessSame(connection: Connection, listing: ReadListing, askedAt: Date): Promise<void> {
  const { items, ...rest } = listing
  const digest = await digestOf(listing)
  const stored = findStored(connection.id)
  const same = stored?.digest === digest
  if (same && askedAt.getTime() - stored.at < sameAgainMs) return
  // A server whose item cannot be read is not gone.
  const whole = rest.unread === 0
  const store = () =>
    storeListing(connection, items, askedAt, { whole }).then(() => noteStored(connection.id, { digest, at: askedAt.getTime(), ...rest }))
  if (!same) return store()
  // Only the time at which it was seen is new.
  writeAside(`list ${connection.id}`, store)
}

async function digestOf({ items, ...rest }: ReadListing): Promise<string> {
  const hash = createHash('sha1').update(JSON.stringify(rest))
  const turn = createSlices()
  for (const slice of slicesOf(items, digestedAtOnce)) {
    hash.update(JSON.stringify(slice))
    await turn()
  }
  return hash.digest('base64')
}
