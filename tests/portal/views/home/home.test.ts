import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { repeatBatch } from '@/lib/portal/batches/repeat'
import { runBatch } from '@/lib/portal/batches/runner'
import { freezeConnection, thawConnection } from '@/lib/portal/subjects/connections/freeze'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { readCounts } from '@/lib/portal/views/home/counts'
import { readHome } from '@/lib/portal/views/home/home'
import { listNotifications } from '@/lib/portal/views/notifications/list'
import { readPalette } from '@/lib/portal/views/palette/entries'
import { give, openScene as openGrants } from '@/tests/portal/access/grants/scene'
import { openScene } from '@/tests/portal/batches/scene'
import { inputOf, signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patienceMs = 5_000

test('Home shows the servers of a connection at the first visit, what they lack and the next step', async () => {
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
  const {
    servers: [server],
  } = await readPalette(actor)
  expect(server).toMatchObject({ id: home.firstSteps?.serverId, name: 'alpha', sandbox: true, installable: true, extensions: true })
})

test('the first steps stay until there is a site, however many servers are installed; thawed, a connection is not called frozen any more', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha', state: 'ready' })
  upstream.addServer({ name: 'beta', state: 'ready' })
  const team = await createTeam()
  const actor = await team.join('owner')
  const connectionId = await team.connect(upstream)
  expect((await readHome(actor, patienceMs)).firstSteps).toMatchObject({ installed: true, siteAdded: false })
  await freezeConnection(inputOf(actor, { connectionId }))
  expect((await readHome(actor, patienceMs)).attention).toMatchObject([{ word: 'Frozen' }])
  await thawConnection(inputOf(actor, { connectionId }))
  expect((await readHome(actor, patienceMs)).attention).toEqual([])
  upstream.addSite({ domain: 'first.example' })
  await listSites(actor)
  expect((await readHome(actor, patienceMs)).firstSteps).toBeNull()
})

test('a service that does not answer delays nobody, and is reported once that is known', async () => {
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

test('servers of another user’s own connection appear neither on Home nor in counts nor in the palette', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'hers' })
  const team = await createTeam()
  const [ann, bob] = [await team.join('owner'), await team.join('operator')]
  await team.connect(upstream, { ownerId: ann.user.id })
  expect((await readHome(ann, patienceMs)).servers.all).toBe(1)
  expect(await readCounts(ann)).toEqual({ servers: 1, sites: 0, running: 0 })
  const his = await readHome(bob, patienceMs)
  expect([his.servers.all, his.attention, await readCounts(bob), (await readPalette(bob)).servers]).toEqual([
    0,
    [],
    { servers: 0, sites: 0, running: 0 },
    [],
  ])
})

test('sandbox servers are offered only if a usable service announces extensions', async () => {
  await using _ = await openPortalDatabase()
  await using plain = await startUpstream()
  await using simulating = await startUpstream({ extensions: true })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(plain, { label: 'Plain' })
  const offers = async () => [
    (await readHome(actor, patienceMs)).offersSandbox,
    (await readPalette(actor)).offersSandbox,
    (await listServers(actor)).connections.some(({ simulates }) => simulates),
  ]
  expect(await offers()).toEqual([false, false, false])
  const id = await team.connect(simulating, { label: 'Simulating' })
  await listServers(actor)
  expect(await offers()).toEqual([true, true, true])
  await db().connection.update({ where: { id }, data: { state: 'rejected' } })
  expect(await offers()).toEqual([false, false, false])
})

test('the provider name sandbox means a simulated server only for a service that announces extensions', async () => {
  await using _ = await openPortalDatabase()
  await using plain = await startUpstream()
  plain.addServer({ name: 'real', listed: { provider: 'sandbox' } })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(plain)
  const [listed] = (await listServers(actor)).servers
  expect(listed).toMatchObject({ name: 'real', provider: 'sandbox', sandbox: false })
  expect((await readPalette(actor)).servers[0]).toMatchObject({ sandbox: false, extensions: false })
  expect((await findServer(actor, listed?.id ?? ''))?.sandbox).toBe(false)
})

test('a batch in which a site failed needs attention like a failed job, until it is repeated or a week old, and is among the recent jobs', async () => {
  await using scene = await openScene()
  const { upstream, upstreamIds, actor } = scene
  upstream.set('success-false', { path: `/sites/${upstreamIds[1]}/backup/creates` })
  const id = await scene.run()
  upstream.clear()
  const attention = async () => (await readHome(actor, patienceMs)).attention.filter(({ href }) => href.startsWith('/jobs'))
  const home = await readHome(actor, patienceMs)
  expect(await attention()).toMatchObject([{ word: 'Failed', title: 'Back up 3 sites', href: `/jobs/batches/${id}` }])
  expect(home.attention[0]?.says).toMatch(/^1 of 3 failed\. site-1\.example: .*The server is locked\.\u2069$/)
  expect(home.recent).toMatchObject([{ batch: { id, title: 'Back up 3 sites' } }])
  expect((await listNotifications(actor)).items.map(({ text }) => text)).toEqual(['Back up 3 sites: 1 of 3 failed.'])
  const daysAgo = (days: number) => db().batch.update({ where: { id }, data: { endedAt: new Date(Date.now() - days * 86_400_000) } })
  await daysAgo(8)
  expect(await attention()).toEqual([])
  await daysAgo(0)
  expect(await attention()).toHaveLength(1)
  const again = await repeatBatch(actor, { batchId: id, confirmName: '', stepUp: signedInLately }, createOpaqueId())
  if (!again.ok) throw new Error(again.problem.sentence)
  await runBatch(again.data.batchId)
  const later = await readHome(actor, patienceMs)
  expect(await attention()).toEqual([])
  expect(later.recent).toMatchObject([{ batch: { id: again.data.batchId } }, { batch: { id } }])
})

test('Home says of a guest whether they see a site, also one on a server that they do not see', async () => {
  await using scene = await openGrants()
  const guest = await scene.team.join('guest')
  expect(await readHome(guest, patienceMs)).toMatchObject({ servers: { all: 0 }, seesSites: false })
  await give(guest, { kind: 'site', id: scene.idOf('shop.heron.example') }, { subjects: ['logs'] })
  expect(await readHome(guest, patienceMs)).toMatchObject({ servers: { all: 0 }, seesSites: true })
})

test('the one action for a cause covers only servers where the reader may run it, and is not offered without any', async () => {
  await using scene = await openGrants()
  for (const server of scene.upstream.model.servers.values()) server.state = 'ready'
  await readHome(scene.owner, patienceMs)
  await db().server.updateMany({ data: { state: 'ready' } })
  const [heron, otter] = [scene.idOf('heron-1'), scene.idOf('otter-1')]
  const since = new Date()
  for (const serverId of [heron, otter]) await db().finding.create({ data: { serverId, kind: 'reboot_required', since, detail: '' } })
  const offered = async (actor: typeof scene.owner) =>
    (await readHome(actor, patienceMs)).attention.map(({ count, batch }) => [count, batch?.ids])
  expect(await offered(scene.owner)).toEqual([[2, [heron, otter]]])
  const operator = await scene.team.join('guest')
  await give(operator, { kind: 'everything' })
  expect(await offered(operator)).toEqual([[2, undefined]])
  await give(operator, { kind: 'server', id: heron }, { effects: ['read', 'change', 'destroy'], root: true })
  expect(await offered(operator)).toEqual([[2, [heron]]])
})
