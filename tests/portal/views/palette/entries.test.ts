/** What the command palette can find: addresses of servers, and only those people whom the reader may know. */
import { expect, test } from 'vitest'
import { listServers } from '@/lib/portal/subjects/servers/list'
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
