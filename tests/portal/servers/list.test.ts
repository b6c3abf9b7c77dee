import { expect, test } from 'vitest'
import { db } from '@/lib/portal/db'
import { listServers } from '@/lib/portal/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('a list is the union over the connections a person may use, one row per service and id', async () => {
  await using _ = await openPortalDatabase()
  await using one = await startUpstream({ extensions: true })
  await using two = await startUpstream()
  one.addServer({ name: 'alpha', provider: 'sandbox' })
  two.addServer({ name: 'beta' })
  const team = await createTeam()
  const [ann, bob] = [await team.join('owner'), await team.join('operator')]
  await team.connect(one, { label: 'Shared' })
  await team.connect(one, { label: 'Shared twice' })
  await team.connect(two, { label: 'Private', ownerId: ann.user.id })
  const hers = await listServers(ann)
  expect(hers.servers.map(({ name, sandbox, state }) => [name, sandbox, state])).toEqual([
    ['alpha', true, 'new'],
    ['beta', false, ''],
  ])
  expect(hers.connections).toHaveLength(3)
  expect(hers.servers[1]?.connectionLabel).toBe('Private')
  const his = await listServers(bob)
  expect(his.servers.map(({ name }) => name)).toEqual(['alpha'])
  expect(his.servers[0]?.id).toBe(hers.servers[0]?.id)
  expect(his.servers[0]?.id).not.toContain('srv-')
})

test('lists asked for at once or within 2 s are one call', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer()
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  await Promise.all(Array.from({ length: 20 }, () => listServers(actor)))
  await listServers(actor)
  expect(upstream.callsTo('GET', '/servers/')).toHaveLength(1)
})

test('a connection that fails yields its problem and the servers as last known', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const before = await listServers(actor)
  forgetProcess()
  upstream.set('reset-before')
  const after = await listServers(actor)
  expect(after.servers).toEqual(before.servers)
  expect(after.connections[0]?.problem?.code).toBe('upstream_unreachable')
})

test('a key the service refuses is marked, and not tried again with every poll', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  upstream.set('unauthorized')
  const { connections } = await listServers(actor)
  expect(connections[0]).toMatchObject({ state: 'rejected', problem: { code: 'key_rejected' } })
  await listServers(actor)
  expect(upstream.calls).toHaveLength(1)
})

test('a server that a list no longer has is gone, and is the same one when it comes back', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const [first] = (await listServers(actor)).servers
  const kept = upstream.model.servers.get(upstreamId)
  upstream.model.servers.delete(upstreamId)
  forgetProcess()
  expect((await listServers(actor)).servers).toEqual([])
  expect(await db().server.count()).toBe(1)
  if (kept) upstream.model.servers.set(upstreamId, { ...kept, name: 'renamed' })
  forgetProcess()
  expect((await listServers(actor)).servers).toMatchObject([{ id: first?.id, name: 'renamed' }])
})
