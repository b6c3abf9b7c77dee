/** What the page of a server that was never looked at may promise. */
import { afterEach, expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { beginGathering, endGathering } from '@/lib/portal/subjects/samples/store'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readHistoryOf } from '@/lib/portal/views/history/read'
import { openDesk } from '@/tests/portal/spine/desk'

afterEach(endGathering)

test('a server without samples gets its first within one round, unless sampling is off; with samples nothing is announced', async () => {
  await using desk = await openDesk('viewer')
  const first = async () => (await readHistoryOf(desk.serverId, '24h')).firstInMinutes
  expect(await first()).toBe(5)
  await db().connection.updateMany({ data: { ownerId: desk.actor.user.id } })
  expect(await first()).toBe(null)
  await db().connection.updateMany({ data: { ownerId: null } })
  beginGathering()
  await runOperation(desk.actor, contract.servers.summary, { serverId: desk.serverId })
  expect(await first()).toBe(null)
  endGathering()
  // Older than the range: it was looked at, so the first figures are long past.
  await db().sample.create({ data: { serverId: desk.serverId, at: 1, reachable: true } })
  expect(await first()).toBe(null)
})
