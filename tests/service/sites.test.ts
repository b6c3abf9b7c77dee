/** Sites of the bundled service, on the sandbox: who sees them, what is refused, and what the simulated servers do. */
import { expect, test } from 'vitest'
import { register } from './conformance/servers'
import { get, post, readInstall, send, type Target } from './support/caller'
import { openTestService } from './support/service'
import { createSite, deleteSite, listSites, streamCreation, streamDeletion } from './support/slow-work'

const password = 'let me in, please'

async function installedServer(target: Target, host: string, name = 'web'): Promise<string> {
  const { id } = await register(target, { provider: 'sandbox', host, port: '22', user: 'root', pass: 'open' }, name)
  await readInstall(target, id)
  return id
}

const idOf = async (target: Target, domain: string): Promise<string> =>
  (await listSites(target)).find((site) => site.domain === domain)?.id ?? ''

test('before the install there are no sites, and creating one is refused', async () => {
  await using service = await openTestService()
  const { id } = await register(service, { provider: 'sandbox', host: 'new.test', port: '22', user: 'root', pass: 'open' }, 'new')
  const early = { status: 409, body: { success: false, code: 'not_installed' } }
  expect(await createSite(service, { domain: 'example.org', server: id, password })).toMatchObject(early)
  expect(await streamCreation(service, { domain: 'example.org', server: id, password })).toMatchObject(early)
  expect(await listSites(service)).toEqual([])
})

test('another account sees no site and cannot read, resume or delete one', async () => {
  await using service = await openTestService()
  const server = await installedServer(service, 'mine.test')
  const site = { domain: 'example.org', server, password }
  const { body } = await createSite(service, site)
  const id = String(body.id)
  const stranger = { ...service, key: await service.createKey('stranger') }
  expect(await listSites(stranger)).toEqual([])
  for (const path of ['summary', 'settings', 'delete']) {
    expect(await get(stranger, `/sites/${id}/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect((await streamDeletion(service, id)).events.at(-1)).toMatchObject({ status: 'done' })
  expect(await streamDeletion(stranger, id, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await streamCreation(stranger, site, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  // The name is free for both accounts, because each has its own servers.
  const theirs = await installedServer(stranger, 'theirs.test')
  expect(await createSite(stranger, { ...site, server: theirs })).toMatchObject({ status: 200 })
  expect(await createSite(service, site)).toMatchObject({ status: 200 })
})

test('a name is used once in an account, on whichever server, by whoever is first', async () => {
  await using service = await openTestService()
  const [one, other] = [await installedServer(service, 'one.test'), await installedServer(service, 'other.test')]
  const both = await Promise.all([one, other].map((server) => createSite(service, { domain: 'example.org', server, password, www: '1' })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  for (const domain of ['example.org', 'www.example.org']) {
    const refused = await createSite(service, { domain, server: other, password })
    expect(refused).toMatchObject({ status: 422, body: { fields: { domain: expect.stringContaining(domain) } } })
  }
  // www of a new site must be free as well.
  expect(await createSite(service, { domain: 'www.example.net', server: one, password })).toMatchObject({ status: 200 })
  const refused = await createSite(service, { domain: 'example.net', server: other, password, www: '1' })
  expect(refused).toMatchObject({ status: 422, body: { fields: { domain: expect.stringContaining('www.example.net') } } })
  expect(await createSite(service, { domain: 'example.net', server: other, password, www: '0' })).toMatchObject({ status: 200 })
})

test('deleting a server removes its sites from the list, and never during work on one', async () => {
  await using service = await openTestService({ sandboxPaceMs: 10 })
  const [server, other] = [await installedServer(service, 'gone.test', 'slow-gone'), await installedServer(service, 'stays.test')]
  await createSite(service, { domain: 'stays.example.org', server: other, password })
  await createSite(service, { domain: 'gone.example.org', server, password })
  const begun = await streamCreation(service, { domain: 'second.example.org', server, password }, { until: 1 })
  expect(begun.status).toBe(200)
  const busy = { status: 409, body: { code: 'busy' } }
  expect(await get(service, `/servers/${server}/delete`)).toMatchObject(busy)
  expect(await get(service, `/servers/${server}/install`)).toMatchObject(busy)
  expect(await post(service, `/servers/${server}/reboot`, {})).toMatchObject(busy)
  expect(await readInstall(service, server, { lastEventId: 0 })).toMatchObject({ status: 200 })
  await streamCreation(service, { domain: 'second.example.org', server, password }, { lastEventId: 0 })
  expect(await get(service, `/servers/${server}/delete`)).toMatchObject({ status: 200 })
  expect((await listSites(service)).map(({ domain }) => domain)).toEqual(['stays.example.org'])
})

test('a site that is being created has no logs yet, and while it is created or deleted its user gets no password', async () => {
  await using service = await openTestService({ sandboxPaceMs: 20 })
  const server = await installedServer(service, 'users.test', 'slow-users')
  const site = { domain: 'example.org', server, password }
  const save = async () => {
    const { user } = ((await get(service, `/sites/${await idOf(service, 'example.org')}/summary`)).body.item as { user: string }[])[0] ?? {}
    return post(service, `/servers/${server}/savesystemuser`, { user: user ?? '', pass: 'another harbour' })
  }
  const busy = { status: 409, body: { code: 'busy', error: expect.stringContaining('example.org') } }
  await streamCreation(service, site, { until: 1 })
  // That would make a system user of its name.
  expect(await save()).toMatchObject(busy)
  const log = await post(service, `/sites/${await idOf(service, 'example.org')}/fetchlog`, { log: 'access' })
  expect(log).toMatchObject({ status: 409, body: { code: 'busy' } })
  await streamCreation(service, site, { lastEventId: 0 })
  expect(await save()).toMatchObject({ status: 200 })
  await streamDeletion(service, await idOf(service, 'example.org'), { until: 1 })
  expect(await save()).toMatchObject(busy)
})

test('numbers of events rise over installs and work on sites, and each is resumed on its own', async () => {
  await using service = await openTestService()
  const server = await installedServer(service, 'numbers.test')
  const installed = (await readInstall(service, server, { lastEventId: 0 })).events
  const site = { domain: 'example.org', server, password }
  const created = (await streamCreation(service, site)).events
  expect(created[0]?.id).toBe(installed.length + 1)
  expect((await readInstall(service, server, { lastEventId: 0 })).events).toEqual(installed)
  expect((await streamCreation(service, site, { lastEventId: 0 })).events).toEqual(created)
  for (const lastEventId of ['-1', 'abc', '1.5']) {
    expect(await streamCreation(service, site, { lastEventId })).toMatchObject({ status: 422, body: { code: 'invalid' } })
  }
})

test('without an event stream the call is held open, and with Last-Event-ID it still starts nothing', async () => {
  await using service = await openTestService()
  const server = await installedServer(service, 'held.test')
  const form = new URLSearchParams({ domain: 'example.org', server, password })
  const resume = () => send(service, '/sites/create', form, { 'last-event-id': '0' })
  expect(await resume()).toMatchObject({ status: 404, body: { code: 'no_install' } })
  const created = await send(service, '/sites/create', form)
  expect(created).toMatchObject({ status: 200, body: { success: true, id: expect.any(String) } })
  expect(created.headers.get('content-type')).toContain('application/json')
  expect((await resume()).body).toEqual(created.body)
  for (const method of ['HEAD', 'OPTIONS', 'PUT']) {
    const headers = { authorization: `Bearer ${service.key}` }
    const response = await fetch(`${service.baseUrl}/sites/${created.body.id}/delete`, { method, headers })
    expect(response.status).toBe(405)
  }
  expect(await deleteSite(service, String(created.body.id), '?without_backup=2')).toMatchObject({ status: 422 })
  expect(await listSites(service)).toHaveLength(1)
})

test('sandbox: a creation that fails leaves nothing, says why, and can be tried again', async () => {
  await using service = await openTestService()
  const server = await installedServer(service, 'faults.test')
  const fails = { domain: 'fails.example.org', server, password }
  const { events } = await streamCreation(service, fails)
  const why = expect.stringContaining('Database')
  expect(events.at(-1)).toMatchObject({
    status: 'failed',
    step: 'Database',
    error: why,
    result: { success: false, code: 'internal', error: why },
  })
  expect(await listSites(service)).toEqual([])
  expect(await createSite(service, fails)).toMatchObject({ status: 500, body: { success: false, code: 'internal', error: why } })
  expect((await streamCreation(service, fails, { lastEventId: events.at(-1)?.id ?? 0 })).events.at(-1)).toMatchObject({ status: 'failed' })
  const refused = await createSite(service, { ...fails, domain: 'refused.example.org' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'unsuitable', error: expect.stringContaining('refused.example.org') } })
  expect(await listSites(service)).toEqual([])
})

test('sandbox: without room for a last backup nothing is deleted, unless none is wanted', async () => {
  await using service = await openTestService()
  const server = await installedServer(service, 'full.test')
  await createSite(service, { domain: 'full.example.org', server, password })
  const id = await idOf(service, 'full.example.org')
  expect(await deleteSite(service, id)).toMatchObject({
    status: 409,
    body: { code: 'unsuitable', error: expect.stringContaining('no room') },
  })
  expect(await listSites(service)).toMatchObject([{ id, state: 'ready' }])
  expect(await deleteSite(service, id, '?without_backup=1')).toMatchObject({ status: 200, body: { success: true } })
  expect(await listSites(service)).toEqual([])
})

test('sandbox: what the newest check found is listed: a site that is not served, and one whose DNS points elsewhere', async () => {
  await using service = await openTestService({ siteChecksMs: 100, summarySharedMs: 0 })
  const server = await installedServer(service, 'checks.test')
  for (const domain of ['down.example.org', 'elsewhere.example.org', 'fine.example.org']) {
    expect(await createSite(service, { domain, server, password })).toMatchObject({ status: 200 })
  }
  await expect.poll(async () => (await listSites(service)).map(({ state }) => state)).toEqual(['down', 'ready', 'ready'])
  const summaries = (await listSites(service)).map(async ({ id }) => (await get(service, `/sites/${id}/summary`)).body.item)
  const [down, elsewhere, fine] = (await Promise.all(summaries)).map((item) => (item as Record<string, unknown>[])[0])
  expect(down).toMatchObject({ state: 'down' })
  expect(elsewhere).toMatchObject({ dns: { A: '198.51.100.7' }, state: 'ready' })
  expect(fine).toMatchObject({ state: 'ready', disk_usage: expect.stringMatching(/^\d+$/) })
  expect((fine as { dns: { A: string } }).dns.A).toBe((fine as { expected: { A: string } }).expected.A)
})

test('a server that reboots explains why its sites cannot be read', async () => {
  await using service = await openTestService({ sandboxPaceMs: 10, summarySharedMs: 0 })
  const server = await installedServer(service, 'reboots.test')
  await createSite(service, { domain: 'example.org', server, password })
  const id = await idOf(service, 'example.org')
  expect(await post(service, `/servers/${server}/reboot`, {})).toMatchObject({ status: 200 })
  const rebooting = { status: 409, body: { code: 'rebooting' } }
  expect(await get(service, `/sites/${id}/summary`)).toMatchObject(rebooting)
  expect(await createSite(service, { domain: 'example.net', server, password })).toMatchObject(rebooting)
  expect(await listSites(service)).toHaveLength(1)
})
