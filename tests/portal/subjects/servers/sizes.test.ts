import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openDesk } from '../../spine/desk'

test.each([
  ['a service without extensions in KiB', false, String(41_251_136 * 1024)],
  ['a service with extensions in bytes, as it says', true, '41251136'],
])('a disk of 41251136 is read from %s', async (_who, extensions, bytes) => {
  await using desk = await openDesk('viewer', { extensions })
  const server = desk.upstream.model.servers.get(desk.upstreamId)
  if (server) server.summary = { disk_total: '41251136' }
  const outcome = await runOperation(desk.actor, contract.servers.summary, { serverId: desk.serverId })
  expect(outcome.ok && outcome.data.item[0].disk_total).toBe(bytes)
})
