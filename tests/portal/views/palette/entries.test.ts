/** What the command palette can find: addresses of servers, and only those people whom the reader may know. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { readPalette } from '@/lib/portal/views/palette/entries'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('servers come with their address; members know each other, a guest only themselves, and only who may invites', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', listed: { ip: '192.0.2.10' } })
  const team = await createTeam()
  const [owner, viewer, guest] = [await team.join('owner'), await team.join('viewer'), await team.join('guest')]
  await team.connect(upstream)
  await listServers(owner)
  expect((await readPalette(owner)).servers.map(({ name, address }) => [name, address])).toEqual([['alpha', '192.0.2.10']])
  const all = [owner, viewer, guest].map(({ user }) => user.id).sort()
  const seen = await Promise.all(
    [owner, viewer, guest].map(async (actor) => {
      const { people, mayInvite, servers } = await readPalette(actor)
      return { people: people.map(({ id }) => id).sort(), mayInvite, servers: servers.length }
    }),
  )
  expect(seen).toEqual([
    { people: all, mayInvite: true, servers: 1 },
    { people: all, mayInvite: false, servers: 1 },
    { people: [guest.user.id], mayInvite: false, servers: 0 },
  ])
})

test('sites come with the aliases that their service lists', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha' })
  upstream.addSite({ domain: 'a.example', listed: { aliases: ['www.a.example'] } })
  upstream.addSite({ domain: 'b.example' })
  const team = await createTeam()
  const viewer = await team.join('viewer')
  await team.connect(upstream)
  await listSites(viewer)
  const { sites } = await readPalette(viewer)
  expect(sites.map(({ domain, aliases }) => [domain, aliases])).toEqual([
    ['a.example', ['www.a.example']],
    ['b.example', []],
  ])
})

test('the newest jobs are found by those who see their servers', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const [owner, guest] = [await team.join('owner'), await team.join('guest')]
  await team.connect(upstream)
  const [server] = (await listServers(owner)).servers
  const job = { teamId: owner.team.id, serverId: server?.id ?? '', targetName: 'alpha', operation: 'servers.install' }
  for (const [id, state, at] of [
    ['older', 'failed', '2026-11-27T02:00:00.000Z'],
    ['newer', 'done', '2026-11-28T02:00:00.000Z'],
  ] as const) {
    await db().job.create({ data: { ...job, id, state, lease: '', startedAt: at, heardAt: at, endedAt: at } })
  }
  expect((await readPalette(owner)).jobs).toEqual([
    { id: 'newer', title: 'Install alpha', state: 'done', startedAt: '2026-11-28T02:00:00.000Z' },
    { id: 'older', title: 'Install alpha', state: 'failed', startedAt: '2026-11-27T02:00:00.000Z' },
  ])
  expect((await readPalette(guest)).jobs).toEqual([])
})
