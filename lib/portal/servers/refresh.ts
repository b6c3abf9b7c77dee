/** Asks a connection for its servers and brings the rows up to date. */
import 'server-only'
import { createHash } from 'node:crypto'
import { contract } from '@/lib/contract'
import type { Cut, Problem } from '@/lib/contract/problem'
import type { Connection } from '@/prisma/generated/portal/client'
import { canAct } from '../access/connections'
import { prepareRequest } from '../prepare-request'
import { callConnection } from '../run-operation'
import { createSlices, slicesOf } from '../turns'
import { writeAside } from '../write-aside'
import { findStored, noteStored, shareListing } from './refresh-cache'
import { type ListedItem, storeListing } from './store-listing'

// A key that was refused is tried again now and then, never in step with somebody's polling.
const unableRetryMs = 60_000
// A list like the last one is written again only for the time at which it was seen.
const sameAgainMs = 60_000
const digestedAtOnce = 500

/** Null where the list came (or came a moment ago), else why not; the rows then stay as they were. */
export function refreshServers(connection: Connection): Promise<Problem | null> {
  return shareListing(connection.id, () => refresh(connection), canAct(connection) ? undefined : unableRetryMs)
}

async function refresh(connection: Connection): Promise<Problem | null> {
  const askedAt = new Date()
  const request = prepareRequest(contract.servers.list, { connection, server: null, pathParameters: {} }, {})
  if (!request.ok) return request.problem
  const outcome = await callConnection(connection, contract.servers.list, request.data)
  if (!outcome.ok) return outcome.problem
  await storeUnlessSame(connection, outcome.data.items, outcome.cut ?? null, askedAt)
  return null
}

async function storeUnlessSame(connection: Connection, items: readonly ListedItem[], cut: Cut | null, askedAt: Date): Promise<void> {
  const digest = await digestOf(items, cut)
  const stored = findStored(connection.id)
  const same = stored?.digest === digest
  if (same && askedAt.getTime() - stored.at < sameAgainMs) return
  const store = () => storeListing(connection, items, askedAt).then(() => noteStored(connection.id, { digest, at: askedAt.getTime(), cut }))
  if (!same) return store()
  // Only the time at which it was seen is new.
  writeAside(`list ${connection.id}`, store)
}

async function digestOf(items: readonly ListedItem[], cut: Cut | null): Promise<string> {
  const hash = createHash('sha1').update(JSON.stringify(cut))
  const turn = createSlices()
  for (const slice of slicesOf(items, digestedAtOnce)) {
    hash.update(JSON.stringify(slice))
    await turn()
  }
  return hash.digest('base64')
}
