import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { answerSince, findKnownServers, listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('a list is the union over the user’s usable connections, with one row per service and id', async () => {
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

test('bidirectional control characters in names are listed as codes', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'web\u202egpj.1', hostname: 'a\u2067b', dns: '\u200fc' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  const { servers } = await listServers(actor)
  expect(servers[0]).toMatchObject({ name: 'web[U+202E]gpj.1', hostname: 'a[U+2067]b', dns: '[U+200F]c' })
})

test('lists requested simultaneously or within 2 s are one call', async () => {
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
  expect(after.servers).toEqual(
    before.servers.map((server) => ({ ...server, reach: { kind: 'unknown', seenAt: after.connections[0]?.listedAt } })),
  )
  expect(after.connections[0]?.problem?.code).toBe('upstream_unreachable')
})

test('a key the service refuses is marked, and not retried with every poll', async () => {
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

test('a server missing from a list is gone, and is the same one when it returns', async () => {
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

test('thousands are stored in a few statements; while nothing changes nothing is written, and the version stays', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  for (let n = 0; n < 3000; n++) upstream.addServer({ name: `server-${n}` })
  const team = await createTeam()
  const actor = await team.join('viewer')
  const connectionId = await team.connect(upstream)
  const first = await listServers(actor)
  expect(first.servers).toHaveLength(3000)
  const version = JSON.parse(await answerSince(first, null)).version
  forgetListing(connectionId)
  expect(JSON.parse(await answerSince(await listServers(actor), version))).toEqual({ version, same: true })

  const [some, other] = [...upstream.model.servers.keys()]
  const kept = upstream.model.servers.get(some ?? '')
  if (kept) kept.name = 'renamed'
  upstream.model.servers.delete(other ?? '')
  forgetListing(connectionId)
  const later = await listServers(actor)
  expect(later.servers).toHaveLength(2999)
  expect(later.servers.filter(({ name }) => name === 'renamed')).toHaveLength(1)
  expect(new Set(later.servers.map(({ id }) => id)).size).toBe(2999)
  expect(first.servers.map(({ id }) => id)).toEqual(expect.arrayContaining(later.servers.map(({ id }) => id)))
  expect(JSON.parse(await answerSince(later, version))).not.toHaveProperty('same')
  expect(await portal.db.server.count({ where: { goneAt: null } })).toBe(2999)
})

test('a list equal to the last one is not stored again, unless it was forgotten', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  const connectionId = await team.connect(upstream)
  await listServers(actor)
  const provenAt = async () => (await portal.db.serverOnConnection.findFirstOrThrow()).provenAt.getTime()
  const before = await provenAt()
  processState('listings', () => new Map())().clear()
  await listServers(actor)
  expect(upstream.callsTo('GET', '/servers/')).toHaveLength(2)
  expect(await provenAt()).toBe(before)
  forgetListing(connectionId)
  await listServers(actor)
  expect(await provenAt()).toBeGreaterThan(before)
})

test('what is known is returned immediately, without a call, once every connection has listed its servers', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream)
  expect(await findKnownServers(actor)).toBeNull()
  const listed = await listServers(actor)
  const calls = upstream.calls.length
  expect(await findKnownServers(actor)).toEqual(listed)
  expect(upstream.calls).toHaveLength(calls)
})

test('a server whose item cannot be read only loses its row’s update, and is not treated as gone', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const broken = upstream.addServer({ name: 'broken' })
  upstream.addServer({ name: 'whole' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  const connection = await team.connect(upstream)
  const names = async () => (await listServers(actor)).servers.map(({ name }) => name)
  expect(await names()).toEqual(['broken', 'whole'])
  const server = upstream.model.servers.get(broken)
  if (server) server.listed = { id: null }
  forgetListing(connection)
  const { servers, connections } = await listServers(actor)
  expect(servers.map(({ name }) => name)).toEqual(['broken', 'whole'])
  expect(connections).toMatchObject([{ unreadable: 1, problem: null }])
  if (server) server.listed = {}
  forgetListing(connection)
  expect((await listServers(actor)).connections).toMatchObject([{ unreadable: 0 }])
  upstream.model.servers.delete(broken)
  forgetListing(connection)
  expect(await names()).toEqual(['whole'])
})
