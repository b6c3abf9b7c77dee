import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { readHome } from '@/lib/portal/views/home/home'
import { give, openScene } from '@/tests/portal/access/grants/scene'

const patienceMs = 5_000
const hourMs = 3_600_000

type Scene = Awaited<ReturnType<typeof openScene>>

/** Of a server that was installed: a nightly backup that ended some hours ago. */
async function backUp({ team, idOf }: Scene, name: string, hoursAgo: number, state: 'done' | 'failed' = 'done') {
  const at = new Date(Date.now() - hoursAgo * hourMs)
  const [id, serverId] = [createOpaqueId(), idOf(name)]
  const times = { startedAt: at, heardAt: at, endedAt: at }
  const about = { teamId: team.id, serverId, operation: 'event.backup', serverEvent: id, targetName: name }
  await db().job.create({ data: { id, ...about, ...times, state, lease: '' } })
}

const find = (serverId: string, kind: 'unreachable' | 'security_updates', detail: string) =>
  db().finding.create({ data: { serverId, kind, since: new Date(), detail } })

const install = () => db().server.updateMany({ data: { state: 'ready' } })
const setSites = (domain: string, state: string) => db().site.updateMany({ where: { domain }, data: { state } })

const sentence = async (actor: Parameters<typeof readHome>[0]) => (await readHome(actor, patienceMs)).fleet.map(({ text }) => text)

/** The list of the service is read at most every 15 seconds, so rows that a test changed stay. */
async function openInstalled() {
  const scene = await openScene()
  for (const server of scene.upstream.model.servers.values()) server.state = 'ready'
  await readHome(scene.owner, patienceMs)
  await install()
  await db().site.updateMany({ data: { state: 'ready' } })
  return scene
}

test('a member with a grant of everything reads of all servers and sites; backups count if they ended within a night', async () => {
  await using scene = await openInstalled()
  expect(await sentence(scene.owner)).toEqual(['2 servers ready', '3 sites up'])
  await backUp(scene, 'heron-1', 8)
  await backUp(scene, 'otter-1', 40)
  expect(await sentence(scene.owner)).toContain('1 of 2 servers backed up last night')
  await backUp(scene, 'otter-1', 7, 'failed')
  expect(await sentence(scene.owner)).toContain('1 of 2 servers backed up last night')
  await backUp(scene, 'otter-1', 6)
  expect(await sentence(scene.owner)).toContain('2 servers backed up last night')
})

test('a server that never told of a backup, or cannot be asked, counts as unknown, and its sites are not up', async () => {
  await using scene = await openInstalled()
  await backUp(scene, 'heron-1', 8)
  expect(await sentence(scene.owner)).toContain('1 of 2 servers backed up last night (1 unknown)')
  await backUp(scene, 'otter-1', 40)
  await find(scene.idOf('otter-1'), 'unreachable', 'It did not answer.')
  expect(await sentence(scene.owner)).toEqual([
    '1 of 2 servers ready',
    '1 unreachable',
    '2 of 3 sites up',
    '1 of 2 servers backed up last night (1 unknown)',
  ])
})

test('sites that are down are a separate part', async () => {
  await using scene = await openInstalled()
  await setSites('shop.heron.example', 'down')
  await setSites('blog.heron.example', 'creating')
  expect(await sentence(scene.owner)).toEqual(['2 servers ready', '1 of 3 sites up', '1 site down'])
})

test('while a service does not answer, nothing that it reported counts as up', async () => {
  await using scene = await openInstalled()
  await db().connection.updateMany({ data: { state: 'rejected' } })
  expect(await sentence(scene.owner)).toEqual(['0 of 2 servers ready', '2 unknown', '0 of 3 sites up'])
})

test('a guest reads only of what their grants are over: one of two servers with its sites, and a site alone', async () => {
  await using scene = await openInstalled()
  await backUp(scene, 'heron-1', 8)
  await backUp(scene, 'otter-1', 40)
  await find(scene.idOf('otter-1'), 'security_updates', '3')
  const guest = await scene.team.join('guest')
  expect(await sentence(guest)).toEqual([])
  await give(guest, { kind: 'site', id: scene.idOf('shop.otter.example') })
  expect(await sentence(guest)).toEqual(['1 site up'])
  await give(guest, { kind: 'server', id: scene.idOf('heron-1') })
  expect(await sentence(guest)).toEqual(['1 server ready', '3 sites up', '1 server backed up last night'])
  const curious = await scene.team.join('guest')
  await give(curious, { kind: 'server', id: scene.idOf('heron-1') }, { subjects: ['logs'] })
  expect(await sentence(curious)).toEqual(['1 server ready', '2 sites up'])
  await give(guest, { kind: 'server', id: scene.idOf('otter-1') })
  expect(await sentence(guest)).toEqual([
    '2 servers ready',
    '3 sites up',
    '1 of 2 servers backed up last night',
    '1 server waits for security updates',
  ])
})
