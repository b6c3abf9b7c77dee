/** What is out of somebody's grants is in no answer, and what ends is gone at once. */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { findJob, listJobs } from '@/lib/portal/jobs/view'
import { notify } from '@/lib/portal/notifications/notify'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { findSite } from '@/lib/portal/subjects/sites/find'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readCounts } from '@/lib/portal/views/home/counts'
import { readAll } from './read-all'
import { codeOf, give, openScene } from './scene'

afterEach(() => void vi.useRealTimers())

/** Work, labels, notifications and entries about both servers. */
async function leaveTraces({ owner, team, idOf }: Awaited<ReturnType<typeof openScene>>, receiver: Person) {
  const [connection] = await db().connection.findMany()
  const lease = { lease: '', startedAt: new Date(), heardAt: new Date(), state: 'running' as const }
  for (const [server, domain] of [
    ['heron-1', 'shop.heron.example'],
    ['otter-1', 'shop.otter.example'],
  ] as const) {
    const [serverId, siteId] = [idOf(server), idOf(domain)]
    const row = { teamId: team.id, connectionId: connection?.id ?? null, startedById: owner.user.id, ...lease }
    await db().job.create({ data: { id: createOpaqueId(), ...row, operation: 'backups.create', serverId, siteId, targetName: domain } })
    await db().job.create({ data: { id: createOpaqueId(), ...row, operation: 'servers.install', serverId, targetName: server } })
    await changeLabels(owner, { change: 'add', subjectKind: 'server', subjectIds: [serverId], label: `label of ${server}` })
    await runOperation(owner, contract.servers.reboot, { serverId }, {}, { confirmName: server })
    await runOperation(owner, contract.backups.create, { siteId })
    const detail = { name: server }
    await notify({
      teamId: team.id,
      userIds: [receiver.user.id],
      kind: 'server_unreachable',
      onceKey: server,
      detail,
      subject: { kind: 'server', id: serverId },
    })
    const asked = { placeKind: 'site', placeId: siteId, subject: 'logs', effects: 'read', why: server, page: `/sites/${siteId}` } as const
    const asker = { teamId: team.id, userId: (await team.join('guest')).user.id, expiresAt: new Date(Date.now() + 3_600_000) }
    await db().accessRequest.create({ data: { id: createOpaqueId(), ...asker, ...asked } })
    await db().batch.create({
      data: {
        id: createOpaqueId(),
        teamId: team.id,
        operation: 'backups.create',
        startedById: owner.user.id,
        sessionId: owner.sessionId,
        mode: 'goOn',
        atOnce: 1,
        lease: '',
        targets: { create: { seq: 0, siteId, name: domain, requestId: createOpaqueId() } },
      },
    })
  }
}

const words = ['otter', 'blog.heron', 'Test service', 'The owner', 'label of']

test('a guest without a grant gets nothing from any read, and every operation answers as for what is not there', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  await leaveTraces(scene, guest)
  const place = { serverId: scene.idOf('heron-1'), siteId: scene.idOf('shop.heron.example') }
  const text = await readAll(guest, place)
  for (const word of [...words, 'heron', place.serverId, place.siteId]) expect([word, text.includes(word)]).toEqual([word, false])
  expect(await codeOf(guest, contract.servers.summary, { serverId: place.serverId })).toBe('not_found')
  expect(await codeOf(guest, contract.sites.delete, { siteId: place.siteId })).toBe('not_found')
  expect(await codeOf(guest, contract.servers.list, {})).toBe('not_found')
})

test('a guest with the backups of one site gets that site and its server’s name from all reads, and nothing of others', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  await leaveTraces(scene, guest)
  const [serverId, siteId] = [scene.idOf('heron-1'), scene.idOf('shop.heron.example')]
  await give(guest, { kind: 'site', id: siteId }, { subjects: ['backups'], effects: ['read', 'change'] })
  const text = await readAll(guest, { serverId, siteId })
  for (const word of ['otter', 'blog.heron', serverId, 'label of', scene.idOf('shop.otter.example'), 'Install heron-1'])
    expect([word, text.includes(word)]).toEqual([word, false])
  expect(text).toContain('shop.heron.example')
  expect((await listSites(guest)).sites).toMatchObject([{ domain: 'shop.heron.example', server: 'heron-1', serverId: null }])
  expect((await listServers(guest)).servers).toEqual([])
  expect(await readCounts(guest)).toEqual({ servers: 0, sites: 1, running: 2 })
  expect((await listJobs(guest)).map(({ operation }) => operation)).toEqual(['backups.create'])
  const codes = await Promise.all([
    codeOf(guest, contract.backups.list, { siteId }),
    codeOf(guest, contract.backups.create, { siteId }),
    codeOf(guest, contract.sites.summary, { siteId }),
    codeOf(guest, contract.servers.summary, { serverId }),
    codeOf(guest, contract.backups.list, { siteId: scene.idOf('blog.heron.example') }),
  ])
  expect(codes).toEqual(['ok', 'ok', 'forbidden', 'not_found', 'not_found'])
  const foreign = await db().job.findFirstOrThrow({ where: { siteId: scene.idOf('shop.otter.example') } })
  expect(await findJob(guest, foreign.id)).toBeNull()
  const listed = await runOperation(guest, contract.sites.list, {})
  expect(listed).toMatchObject({ ok: true, data: { items: [{ domain: 'shop.heron.example', server: '' }] } })
})

test('a member with a grant of everything gets from every read what they got before there were grants', async () => {
  await using scene = await openScene()
  const viewer = await scene.team.join('viewer')
  await leaveTraces(scene, viewer)
  const place = { serverId: scene.idOf('otter-1'), siteId: scene.idOf('shop.otter.example') }
  const text = await readAll(viewer, place)
  for (const word of [...words, 'heron-1', place.serverId, place.siteId]) expect([word, text.includes(word)]).toEqual([word, true])
  expect(await codeOf(viewer, contract.servers.reboot, { serverId: place.serverId })).toBe('forbidden')
})

test('a label is a grant’s scope: whoever may not grant cannot put it on anything, and taking it off ends the sight at once', async () => {
  await using scene = await openScene()
  const [guest, operator] = [await scene.team.join('guest'), await scene.team.join('operator')]
  const serverId = scene.idOf('otter-1')
  await give(guest, { kind: 'label', name: 'client: kaffee' }, { subjects: ['servers'] })
  const label = (actor: Person, change: 'add' | 'remove') =>
    changeLabels(actor, { change, subjectKind: 'server', subjectIds: [serverId], label: 'client: kaffee' })
  expect(await label(operator, 'add')).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect((await listServers(guest)).servers).toEqual([])
  expect(await label(scene.owner, 'add')).toMatchObject({ ok: true, data: { changed: 1, givesAccess: true } })
  expect((await listServers(guest)).servers).toMatchObject([{ name: 'otter-1' }])
  expect((await listSites(guest)).sites).toMatchObject([{ domain: 'shop.otter.example', serverId }])
  expect(await label(operator, 'remove')).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await label(scene.owner, 'remove')).toMatchObject({ ok: true })
  expect((await listServers(guest)).servers).toEqual([])
})

test('a grant ends at its millisecond, without a write in between', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const [siteId, until] = [scene.idOf('shop.heron.example'), new Date(Date.now() + 60_000)]
  await give(guest, { kind: 'site', id: siteId }, { subjects: ['backups'], until })
  expect(await codeOf(guest, contract.backups.list, { siteId })).toBe('ok')
  vi.useFakeTimers({ now: until.getTime() - 1, toFake: ['Date'] })
  expect(await findSite(guest, siteId)).not.toBeNull()
  vi.setSystemTime(until)
  expect(await findSite(guest, siteId)).toBeNull()
  expect(await codeOf(guest, contract.backups.list, { siteId })).toBe('not_found')
})

test('a grant that ends while the request waits is noticed before it is sent', async () => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const siteId = scene.idOf('shop.heron.example')
  const grantId = await give(guest, { kind: 'site', id: siteId }, { effects: ['read', 'change', 'destroy'] })
  const before = scene.upstream.calls.length
  const options = {
    confirmName: 'shop.heron.example',
    stepUp: () =>
      db()
        .grant.update({ where: { id: grantId }, data: { until: new Date() } })
        .then(() => null),
  }
  const outcome = await runOperation(guest, { ...contract.sites.delete, freshSignIn: true }, { siteId }, {}, options)
  expect(outcome).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(scene.upstream.calls.slice(before).filter(({ path }) => path.includes('delete'))).toEqual([])
})

test('no filter of rows is spread before it is there: a promise has no conditions, and would let everything through', async () => {
  const files = (await readdir('lib/portal', { recursive: true })).filter((file) => file.endsWith('.ts'))
  const spread = files.filter((file) => /\.\.\.\w+(VisibleTo|ListedFor)\(/.test(readFileSync(`lib/portal/${file}`, 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(spread).toEqual([])
})
