import { expect, test, vi } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { portalAction } from '@/lib/portal/entry/action'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { stateOf } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream } from '@/tests/support/upstream/upstream'

const browser = vi.hoisted((): { headers: Record<string, string>; actor: unknown } => ({ headers: {}, actor: null }))

vi.mock('next/headers', () => ({ headers: async () => new Headers(browser.headers) }))
vi.mock('@/lib/portal/identity/actor', async (original) => ({ ...(await original<object>()), findActor: async () => browser.actor }))

const createServer = portalAction(contract.servers.create)
const installServer = portalAction(contract.servers.install)
const deleteServer = portalAction(contract.servers.delete)

/** From now on requests come from this person's browser, on the portal's own pages. */
const browseAs = (actor: Actor | null, headers: Record<string, string> = { origin: 'http://localhost:3000' }) => {
  Object.assign(browser, { actor, headers })
}

const formOf = (fields: Record<string, string>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

const newServer = {
  provider: 'ssh',
  dns: '',
  name: 'new',
  host: '192.0.2.1',
  user: 'root',
  pass: 'p',
  port: '22',
  region: '',
  type: '',
  host_key: 'SHA256:x',
}

test('forms add a server, install it with a job and delete it by its typed name', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  browseAs(actor)
  const asked = await createServer(null, formOf({ ...newServer, host_key: 'ask' }))
  expect(asked).toMatchObject({ ok: false, problem: { code: 'host_key_unconfirmed', hostKey: expect.any(String) } })
  const created = await createServer(null, formOf(newServer))
  const serverId = created.ok ? (created.data.serverId ?? '') : ''
  expect((await listServers(actor)).servers).toMatchObject([{ id: serverId, name: 'new', state: 'new' }])
  const installed = await installServer(null, formOf({ serverId }))
  expect(installed).toMatchObject({ ok: true, data: { jobId: expect.any(String) }, at: expect.any(Number) })
  await expect.poll(() => stateOf(installed.ok ? (installed.data.jobId ?? '') : ''), { timeout: 20_000 }).toBe('done')
  expect(await deleteServer(null, formOf({ serverId }))).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(await deleteServer(null, formOf({ serverId, confirmName: 'new' }))).toMatchObject({ ok: true })
  expect((await listServers(actor)).servers).toEqual([])
})

test('a form submitted twice runs once, simultaneously, later, and after a restart', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  browseAs(actor)
  const form = formOf({ ...newServer, requestId: 'a-random-id-of-the-page' })
  const both = await Promise.all([createServer(null, form), createServer(null, form)])
  const later = await createServer(null, form)
  expect(both[0]).toMatchObject({ ok: true })
  expect(later.ok && later.data).toEqual(both[0]?.ok && both[0].data)
  forgetProcess()
  expect(await createServer(null, form)).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(upstream.callsTo('POST', '/servers/create')).toHaveLength(1)
})

test('an install submitted again by the same form after a restart does not start again', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  browseAs(actor)
  const form = formOf({ serverId, requestId: 'a-random-id-of-the-page' })
  const first = await installServer(null, form)
  const jobId = first.ok ? (first.data.jobId ?? '') : ''
  await expect.poll(() => stateOf(jobId), { timeout: 20_000 }).toBe('done')
  forgetProcess()
  expect(await installServer(null, form)).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(upstream.installStarts(upstreamId)).toBe(1)
})

test('a form refused for a field can be submitted again with the same id', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  browseAs(actor)
  const requestId = 'a-random-id-of-the-page'
  expect(await deleteServer(null, formOf({ serverId, requestId, confirmName: 'x' }))).toMatchObject({ problem: { code: 'invalid' } })
  expect(await deleteServer(null, formOf({ serverId, requestId, confirmName: 'alpha' }))).toMatchObject({ ok: true })
  expect(upstream.callsTo('GET', `/servers/${upstreamId}/delete`)).toHaveLength(1)
})

test.each([
  { what: 'another origin', headers: { origin: 'https://evil.example' } },
  { what: 'the origin null', headers: { origin: 'null' } },
  { what: 'no origin', headers: {} },
  { what: 'a forwarded host', headers: { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' } },
  { what: 'another site', headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' } },
])('security 22: an action called with $what does nothing', async ({ headers }) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  browseAs(actor, headers)
  expect(await createServer(null, formOf(newServer))).toMatchObject({ ok: false, problem: { code: 'cross_origin' } })
  expect([upstream.calls.length, await db().auditRow.count()]).toEqual([0, 0])
})

test('security 23: an action called without a session, or with anything but a form, does nothing', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  browseAs(null)
  expect(await createServer(null, formOf(newServer))).toMatchObject({ ok: false, problem: { code: 'signed_out' } })
  browseAs(actor)
  for (const thing of [{ serverId: 'x' }, 'text', null, ['a']]) {
    expect(await createServer(null, thing as unknown as FormData)).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  }
  expect(upstream.calls.length).toBe(0)
})

test('security 24: a reading request cannot make a change', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  vi.doMock('@/lib/portal/entry/handler', async (original) => ({
    ...(await original<object>()),
    guardedGet: (handler: (...given: unknown[]) => Promise<Response>) => async (request: Request, context: { params: Promise<object> }) =>
      handler(actor, request, await context.params),
  }))
  const { GET } = await import('@/app/api/operations/[id]/route')
  const before = upstream.calls.length
  const ask = (id: string) =>
    GET(new Request(`http://localhost/api/operations/${id}?server=${serverId}&confirmName=alpha`), { params: Promise.resolve({ id }) })
  for (const id of ['servers.delete', 'servers.install', 'servers.update', 'servers.list', 'nothing.here', '__proto__']) {
    expect((await ask(id)).status).toBe(404)
  }
  expect(upstream.calls.length).toBe(before)
  const summary = await ask('servers.summary')
  expect([summary.status, await summary.json()]).toMatchObject([200, { ok: true, data: { item: [{ name: 'alpha' }] } }])
})

test.each([
  ['says nothing of it', {}, undefined],
  ['says null', { cleaned: null }, undefined],
  ['says yes', { cleaned: true }, true],
  ['says no', { cleaned: false }, false],
])('a form that removes a server answers whether the machine was cleaned as the service told: it %s', async (_how, told, cleaned) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('owner')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  browseAs(actor)
  upstream.model.deleteAnswer = told
  const deleted = await deleteServer(null, formOf({ serverId, confirmName: 'alpha' }))
  expect(deleted.ok && deleted.data).toEqual(cleaned === undefined ? {} : { cleaned })
  expect(upstream.callsTo('GET', `/servers/${upstreamId}/delete`)).toHaveLength(1)
})
