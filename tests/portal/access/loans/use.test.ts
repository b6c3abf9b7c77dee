/** A lent connection is used as far as it is lent and access includes it, is never shown, and its owner sees each use. */
import { afterEach, expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { findOffers } from '@/lib/portal/access/decide'
import { findServerMembers } from '@/lib/portal/access/server-members'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { listJobs } from '@/lib/portal/jobs/view'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { findLentConnection, listBorrowed } from '@/lib/portal/subjects/lending/view'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { findSite } from '@/lib/portal/subjects/sites/find'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { listUses } from '@/lib/portal/views/activity/uses'
import { readCounts } from '@/lib/portal/views/home/counts'
import { inputOf } from '@/tests/support/own-input'
import { readAll } from '../grants/read-all'
import { codeOf, give } from '../grants/scene'
import { lend, openLending } from './scene'

afterEach(() => void vi.useRealTimers())

const { backups, logs, servers, sites } = contract

test('with a loan a guest does what both loan and access include, there only, and what else is listed is not there', async () => {
  await using scene = await openLending()
  const guest = await scene.team.join('guest')
  const siteId = scene.idOf('shop.heron.example')
  await give(guest, { kind: 'everything' }, { effects: ['read', 'change'] })
  expect(await codeOf(guest, backups.list, { siteId })).toBe('not_found')
  await lend(scene, { to: { userId: guest.user.id }, scope: { kind: 'site', id: siteId }, subjects: ['logs', 'backups'] })
  const codes = await Promise.all([
    codeOf(guest, backups.list, { siteId }),
    codeOf(guest, backups.create, { siteId }),
    codeOf(guest, sites.summary, { siteId }),
    codeOf(guest, servers.summary, { serverId: scene.idOf('heron-1') }),
    codeOf(guest, backups.list, { siteId: scene.idOf('blog.heron.example') }),
    codeOf(guest, backups.list, { siteId: scene.idOf('shop.otter.example') }),
  ])
  expect(codes).toEqual(['ok', 'forbidden', 'forbidden', 'not_found', 'not_found', 'not_found'])
  expect((await listSites(guest)).sites).toMatchObject([{ domain: 'shop.heron.example', serverId: null, connectionLabel: 'Robin’s key' }])
  expect((await listServers(guest)).servers).toEqual([])
  const offers = await findOffers(guest, { siteId })
  expect([backups.list, logs.fetchSite, backups.create, sites.summary].map(offers)).toEqual([true, true, false, false])
})

test('security 1: no read gives the key, or anything that is not lent', async () => {
  await using scene = await openLending()
  const [guest, siteId, serverId] = [await scene.team.join('guest'), scene.idOf('shop.heron.example'), scene.idOf('heron-1')]
  await give(guest, { kind: 'server', id: serverId }, { subjects: ['backups', 'logs', 'sites'] })
  await lend(scene, { scope: { kind: 'site', id: siteId }, subjects: ['backups'] })
  await runOperation(scene.lender, backups.create, { siteId: scene.idOf('shop.otter.example') })
  await codeOf(guest, backups.list, { siteId })
  const { sealedKey } = await db().connection.findFirstOrThrow()
  const pages = [
    await readAll(guest, { serverId, siteId }),
    JSON.stringify([await listBorrowed(guest), await findLentConnection(guest, scene.connectionId)]),
  ]
  const owners = JSON.stringify([
    await readAll(scene.lender, { serverId, siteId }),
    await findLentConnection(scene.lender, scene.connectionId),
    await findLentConnection(scene.owner, scene.connectionId),
    await listUses(scene.lender, { id: scene.connectionId }),
  ])
  const sealed = Buffer.from(sealedKey)
  for (const text of [...pages, owners]) {
    for (const secret of [scene.upstream.key, sealed.toString('base64'), sealed.toString('hex'), 'sealedKey'])
      expect([secret.slice(0, 9), text.includes(secret)]).toEqual([secret.slice(0, 9), false])
  }
  for (const word of ['otter', 'blog.heron', scene.idOf('shop.otter.example')])
    expect([word, pages.some((text) => text.includes(word))]).toEqual([word, false])
  expect(pages[0]).toContain('shop.heron.example')
  expect(await findLentConnection(guest, scene.connectionId)).toBeNull()
})

test('the list of a service is read through a connection that is lent for it everywhere, and no server is added through it', async () => {
  await using scene = await openLending()
  const operator = await scene.team.join('operator')
  const { connectionId } = scene
  const list = (target = {}) => runOperation(operator, servers.list, target)
  expect(await list({ connectionId })).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  const partly = await lend(scene, { scope: { kind: 'server', id: scene.idOf('heron-1') } })
  expect(await list()).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  await db().loan.delete({ where: { id: partly } })
  await lend(scene, { scope: { kind: 'everything' }, effects: ['read', 'change'] })
  for (const target of [{}, { connectionId }]) expect(await list(target)).toMatchObject({ ok: true })
  const added = await runOperation(operator, servers.create, { connectionId }, { name: 'finch-1' })
  expect(added).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  await scene.team.connect(scene.upstream, { label: 'Key of the team' })
  expect(await list()).toMatchObject({ ok: true })
})

test('of two connections that are lent everywhere one is chosen, unless the other is frozen', async () => {
  await using scene = await openLending()
  const operator = await scene.team.join('operator')
  const list = (target = {}) => runOperation(operator, servers.list, target)
  const second = await scene.team.connect(scene.upstream, { ownerId: scene.owner.user.id, label: 'The owner’s key' })
  await lend(scene, { scope: { kind: 'everything' } })
  await lend({ ...scene, connectionId: second }, { scope: { kind: 'everything' } })
  const choose = { code: 'invalid', fields: { connectionId: 'Choose the connection to use.' } }
  expect(await list()).toMatchObject({ ok: false, problem: choose })
  for (const connectionId of [scene.connectionId, second]) expect(await list({ connectionId })).toMatchObject({ ok: true })
  await freezeConnection(inputOf(scene.lender, { connectionId: scene.connectionId }))
  const before = scene.upstream.calls.length
  expect(await list({ connectionId: scene.connectionId })).toMatchObject({ ok: false, problem: { code: 'key_frozen' } })
  expect(scene.upstream.calls.length).toBe(before)
  expect(await list()).toMatchObject({ ok: true })
})

test('of the jobs at a lent place only those are seen that it is lent for', async () => {
  await using scene = await openLending()
  const [viewer, siteId, serverId] = [await scene.team.join('viewer'), scene.idOf('shop.heron.example'), scene.idOf('heron-1')]
  const times = { startedAt: new Date(), heardAt: new Date(), endedAt: new Date() }
  const row = {
    teamId: scene.team.id,
    connectionId: scene.connectionId,
    startedById: scene.lender.user.id,
    state: 'done' as const,
    lease: '',
  }
  for (const operation of [backups.create.id, sites.delete.id]) {
    await db().job.create({
      data: { id: createOpaqueId(), ...row, ...times, operation, serverId, siteId, targetName: 'shop.heron.example' },
    })
  }
  const seen = async () => (await listJobs(viewer)).map(({ operation }) => operation)
  expect(await seen()).toEqual([])
  await lend(scene, { scope: { kind: 'site', id: siteId }, subjects: ['logs'] })
  expect(await seen()).toEqual([])
  await lend(scene, { scope: { kind: 'site', id: siteId }, subjects: ['backups'] })
  expect(await seen()).toEqual([backups.create.id])
})

test('a loan ends at its millisecond without a write in between, and with the membership of whoever lends', async () => {
  await using scene = await openLending()
  const viewer = await scene.team.join('viewer')
  const [serverId, until] = [scene.idOf('heron-1'), new Date(Date.now() + 60_000)]
  await lend(scene, { to: { role: 'viewer' }, scope: { kind: 'server', id: serverId }, until })
  const loanId = await lend(scene, { to: { role: 'guest' }, scope: { kind: 'everything' } })
  expect(await findServerMembers(scene.team.id, serverId)).toContain(viewer.user.id)
  vi.useFakeTimers({ now: until.getTime() - 1, toFake: ['Date'] })
  expect(await codeOf(viewer, servers.summary, { serverId })).toBe('ok')
  vi.setSystemTime(until)
  expect(await codeOf(viewer, servers.summary, { serverId })).toBe('not_found')
  expect(await findServer(viewer, serverId)).toBeNull()
  await db().loan.update({ where: { id: loanId }, data: { role: 'viewer' } })
  expect(await codeOf(viewer, servers.summary, { serverId })).toBe('ok')
  const key = { userId_teamId: { userId: scene.lender.user.id, teamId: scene.team.id } }
  await db().membership.update({ where: key, data: { endsAt: new Date(until.getTime() + 1) } })
  expect(await codeOf(viewer, servers.summary, { serverId })).toBe('ok')
  vi.setSystemTime(until.getTime() + 1)
  expect(await codeOf(viewer, servers.summary, { serverId })).toBe('not_found')
})

test('what is counted through a loan ends with it, without a write in between', async () => {
  await using scene = await openLending()
  const [viewer, until] = [await scene.team.join('viewer'), new Date(Date.now() + 60_000)]
  await lend(scene, { to: { role: 'viewer' }, scope: { kind: 'server', id: scene.idOf('heron-1') }, until })
  vi.useFakeTimers({ now: until.getTime() - 1, toFake: ['Date'] })
  expect((await readCounts(viewer)).servers).toBe(1)
  vi.setSystemTime(until)
  expect((await readCounts(viewer)).servers).toBe(0)
})

test('a loan that ends while the request waits is noticed before it is sent', async () => {
  await using scene = await openLending()
  const [operator, siteId] = [await scene.team.join('operator'), scene.idOf('shop.heron.example')]
  const loanId = await lend(scene, { scope: { kind: 'site', id: siteId }, effects: ['read', 'change', 'destroy'] })
  const before = scene.upstream.calls.length
  const options = {
    confirmName: 'shop.heron.example',
    stepUp: () =>
      db()
        .loan.update({ where: { id: loanId }, data: { until: new Date() } })
        .then(() => null),
  }
  const outcome = await runOperation(operator, { ...sites.delete, freshSignIn: true }, { siteId }, {}, options)
  expect(outcome).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(scene.upstream.calls.slice(before).filter(({ path }) => path.includes('delete'))).toEqual([])
})

test('what a service answers after the end of the loan is not passed on', async () => {
  const until = new Date(Date.now() + 60_000)
  // The time comes while the service has the request.
  const refuses = ({ path }: { path: string }) => {
    if (path.endsWith('/backups')) vi.useFakeTimers({ now: until, toFake: ['Date'] })
    return null
  }
  await using scene = await openLending({ refuses })
  const [viewer, siteId] = [await scene.team.join('viewer'), scene.idOf('shop.heron.example')]
  await lend(scene, { scope: { kind: 'site', id: siteId }, until })
  expect(await codeOf(viewer, backups.list, { siteId })).toBe('forbidden')
  expect(scene.upstream.calls.filter(({ path }) => path.endsWith('/backups'))).toHaveLength(1)
})

test('a key of the team acts before a lent one, which is said where both could; frozen, neither the lender nor others use it', async () => {
  await using scene = await openLending()
  const [operator, siteId] = [await scene.team.join('operator'), scene.idOf('shop.heron.example')]
  await lend(scene, { scope: { kind: 'everything' }, effects: ['read', 'change'] })
  expect(await findSite(operator, siteId)).toMatchObject({ acting: null, connectionLabel: 'Robin’s key' })
  const teams = await scene.team.connect(scene.upstream, { label: 'Key of the team' })
  await listSites(operator)
  await listServers(operator)
  expect(await findSite(operator, siteId)).toMatchObject({ acting: 'Key of the team' })
  expect(await findServer(operator, scene.idOf('heron-1'))).toMatchObject({ acting: 'Key of the team' })
  await db().connection.update({ where: { id: teams }, data: { frozenAt: new Date() } })
  expect(await findSite(operator, siteId)).toMatchObject({ acting: null, connectionLabel: 'Robin’s key' })
  expect(await codeOf(operator, backups.create, { siteId })).toBe('ok')
  await freezeConnection(inputOf(scene.lender, { connectionId: scene.connectionId }))
  expect(await codeOf(operator, backups.list, { siteId })).toBe('key_frozen')
})

test('the lender sees who used the connection for what and when, reads too, and not what they did themselves', async () => {
  await using scene = await openLending()
  const [guest, siteId] = [await scene.team.join('guest'), scene.idOf('shop.heron.example')]
  await give(guest, { kind: 'site', id: siteId }, { subjects: ['backups'], effects: ['read', 'change'] })
  await lend(scene, { scope: { kind: 'site', id: siteId }, effects: ['read', 'change'] })
  await runOperation(scene.lender, backups.create, { siteId })
  const before = Date.now()
  await codeOf(guest, backups.list, { siteId })
  await codeOf(guest, backups.list, { siteId })
  await codeOf(guest, backups.create, { siteId })
  const uses = await listUses(scene.lender, { id: scene.connectionId })
  expect(uses.map(({ who, target, result }) => [who, target, result])).toEqual([
    ['The guest', 'shop.heron.example', 'Done'],
    ['The guest', 'shop.heron.example', 'Done'],
  ])
  const rows = await db().auditRow.findMany({ where: { actorId: guest.user.id, stage: 'intent' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action }) => action)).toEqual([backups.list.id, backups.create.id])
  for (const { at } of uses) expect(Date.parse(at)).toBeGreaterThanOrEqual(before - 1)
})
