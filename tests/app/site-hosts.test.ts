/** The servers on which a site can be created. */
import { expect, test } from 'vitest'
import { findSiteHosts } from '@/app/(portal)/sites/new/find-hosts'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('a server that was installed a moment ago can be chosen; a service that does not answer delays nothing for long', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const server = upstream.model.servers.get(upstream.addServer({ name: 'web-01', state: 'installing' }))
  if (!server) throw new Error('The server is gone.')
  const team = await createTeam()
  const actor = await team.join('operator')
  const connectionId = await team.connect(upstream)
  const { servers } = await listServers(actor)
  forgetListing(connectionId)
  expect(await findSiteHosts(actor, '')).toEqual([])
  server.state = 'ready'
  forgetListing(connectionId)
  const id = servers[0]?.id ?? ''
  expect(await findSiteHosts(actor, id)).toMatchObject([{ id, name: 'web-01', extensions: true }])
  // Known servers are not listed again.
  const { length } = upstream.calls
  await findSiteHosts(actor, id)
  expect(upstream.calls).toHaveLength(length)

  upstream.set('hang')
  forgetListing(connectionId)
  // The call that hangs is still open when the answer is there: nobody waited for its end.
  expect(await findSiteHosts(actor, 'unknown')).toHaveLength(1)
  expect(upstream.sockets).toBeGreaterThan(0)
})

test('servers of the same name on two connections are told apart in the choice; others keep their names', async () => {
  await using _ = await openPortalDatabase()
  await using one = await startUpstream()
  await using two = await startUpstream()
  for (const upstream of [one, two]) for (const name of ['web', 'Mail']) upstream.addServer({ name })
  two.model.servers.delete([...two.model.servers.keys()].at(-1) ?? '')
  one.addServer({ name: 'twice' })
  one.addServer({ name: 'twice' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(one, { label: 'First' })
  await team.connect(two, { label: 'Second' })
  await listServers(actor)
  const names = (await findSiteHosts(actor, '')).map(({ name }) => name)
  expect(names).toEqual(['Mail', 'twice', 'twice', 'web · First', 'web · Second'])
  // The label is that of the connection that is used: one's own before the team's.
  await team.connect(two, { label: 'Third', ownerId: actor.user.id })
  await listServers(actor)
  expect((await findSiteHosts(actor, '')).map(({ name }) => name)).toEqual(['Mail', 'twice', 'twice', 'web · First', 'web · Third'])
})
