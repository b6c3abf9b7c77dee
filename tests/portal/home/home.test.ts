import { expect, test } from 'vitest'
import { readCounts } from '@/lib/portal/home/counts'
import { readHome } from '@/lib/portal/home/home'
import { listPaletteServers } from '@/lib/portal/palette/entries'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patienceMs = 5_000

test('Home knows the servers of a connection at the first look, what they lack and the next step', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', provider: 'sandbox' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const home = await readHome(actor, patienceMs)
  expect(home.attention.map(({ word, title }) => [word, title])).toEqual([['Not installed', 'alpha']])
  expect(home.servers).toEqual({ all: 1, states: { new: 1 } })
  expect(home.firstSteps).toMatchObject({ added: true, installed: false })
  const [server] = await listPaletteServers(actor)
  expect(server).toMatchObject({ id: home.firstSteps?.serverId, name: 'alpha', sandbox: true, installable: true })
})

test('a service that does not answer delays nobody, and is told of once that is known', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(upstream, { label: 'Silent' })
  upstream.set('reset-before')
  const home = await readHome(actor, patienceMs)
  expect(home.attention.map(({ word, title }) => [word, title])).toEqual([['No answer', 'Silent']])
  const calls = upstream.calls.length
  await readHome(actor, patienceMs)
  expect(upstream.calls).toHaveLength(calls)
})

test('what is another person’s own stands neither on Home nor in the figures nor in the palette', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'hers' })
  const team = await createTeam()
  const [ann, bob] = [await team.join('owner'), await team.join('operator')]
  await team.connect(upstream, { ownerId: ann.user.id })
  expect((await readHome(ann, patienceMs)).servers.all).toBe(1)
  expect(await readCounts(ann)).toEqual({ servers: 1, running: 0 })
  const his = await readHome(bob, patienceMs)
  expect([his.servers.all, his.attention, await readCounts(bob), await listPaletteServers(bob)]).toEqual([
    0,
    [],
    { servers: 0, running: 0 },
    [],
  ])
})
