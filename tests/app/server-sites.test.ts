/** The sites of a server on its overview. */
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ServerSites } from '@/app/(portal)/servers/[serverId]/server-sites'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test('sites with a problem come first, with their certificates; sites of other servers are not listed', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const [server, other] = [upstream.addServer({ name: 'web-01' }), upstream.addServer({ name: 'web-02' })]
  const add = (domain: string, listed: Record<string, unknown>, on = server) => upstream.addSite({ domain, server: on, listed })
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) add(`${name}.example`, { state: 'ready', ssl: false })
  add('y.example', { state: 'down', ssl: false })
  add('z.example', { state: 'ready', ssl: true, expires: '2020-01-01T00:00:00Z' })
  add('elsewhere.example', { state: 'down' }, other)
  const team = await createTeam()
  const actor = await team.join('viewer')
  const connectionId = await team.connect(upstream, { label: 'Ours' })
  const { servers } = await listServers(actor)
  forgetListing(connectionId)
  await listSites(actor)
  const idOf = (name: string) => servers.find((row) => row.name === name)?.id ?? ''
  const show = async (serverId: string) => renderToStaticMarkup(await ServerSites({ actor, serverId }))

  const markup = await show(idOf('web-01'))
  expect(markup.match(/[a-z]+\.example/g)).toEqual(['y.example', 'z.example', 'a.example', 'b.example', 'c.example', 'd.example'])
  expect(markup).toMatch(/Down.*Certificate: expired [\d,]+ days ago.*No SSL/s)
  expect(markup).toContain('All 8 sites')
  expect(await show(idOf('web-02'))).toContain('View sites')
  expect(await show('none')).toBe('')
})
