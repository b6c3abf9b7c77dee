/** SSL of sites of the bundled service, on the sandbox: who may switch it, and what is said about certificates. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '@/lib/service/store/db'
import { register } from './conformance/servers'
import { get, post, readInstall, type Target } from './support/caller'
import { openTestService } from './support/service'
import { createSite, listSites, streamSsl } from './support/slow-work'

async function createSites(target: Target, host: string, ...domains: string[]): Promise<{ server: string; ids: string[] }> {
  const { id: server } = await register(target, { provider: 'sandbox', host, port: '22', user: 'root', pass: 'open' }, 'web')
  await readInstall(target, server)
  const ids: string[] = []
  for (const domain of domains) {
    const { body } = await createSite(target, { domain, server, password: 'let me in, please', www: '1' })
    ids.push(String(body.id))
  }
  return { server, ids }
}

const setSsl = (target: Target, id: string, status: '1' | '0') => post(target, `/sites/${id}/setssl`, { status })

async function settingsOf(target: Target, id: string | undefined): Promise<Record<string, unknown> | undefined> {
  return ((await get(target, `/sites/${id}/settings`)).body.item as Record<string, unknown>[])[0]
}

test('another account neither switches nor follows SSL of a site', async () => {
  await using service = await openTestService()
  const { ids } = await createSites(service, 'mine.test', 'example.org')
  const [id = ''] = ids
  const stranger = { ...service, key: await service.createKey('stranger') }
  const unknown = { status: 404, body: { code: 'not_found' } }
  expect(await setSsl(stranger, id, '1')).toMatchObject(unknown)
  expect((await streamSsl(service, id, '1')).events.at(-1)).toMatchObject({ status: 'done' })
  expect(await streamSsl(stranger, id, '1', { lastEventId: 0 })).toMatchObject(unknown)
  expect(await settingsOf(service, id)).toMatchObject({ ssl: true })
})

test('whether a password of an address works is said as it is on the server, whatever was stored at the last check of the site', async () => {
  await using service = await openTestService()
  const db = openStore(join(service.dir, 'data', 'service.db'))
  onTestFinished(() => db.$disconnect())
  const { ids } = await createSites(service, 'mail.test', 'example.org')
  const [id = ''] = ids
  const address = { user: 'info', password: 'a harbour', destination: 'someone@example.net' }
  for (const on of [true, false]) {
    await setSsl(service, id, on ? '1' : '0')
    await expect.poll(async () => (await listSites(service)).map(({ ssl }) => ssl)).toEqual([on])
    await db.site.updateMany({ data: { ssl: !on } })
    const { body } = await post(service, `/sites/${id}/saveemail`, address)
    expect(body).toEqual({ success: true, ...(on ? {} : { sends_after: 'ssl' }) })
  }
})

test('settings, list and server say that a certificate is not renewed', async () => {
  await using service = await openTestService({ siteChecksMs: 100, summarySharedMs: 0 })
  const { server, ids } = await createSites(service, 'ends.test', 'expiring.example.org', 'lasting.example.org')
  for (const id of ids) expect(await setSsl(service, id, '1')).toMatchObject({ status: 200, body: { success: true } })
  const [expiring, lasting] = await Promise.all(ids.map((id) => settingsOf(service, id)))
  expect(expiring).toMatchObject({ problem: expect.stringContaining('expiring.example.org') })
  expect(lasting).toMatchObject({ problem: '' })
  const daysUntil = (moment: unknown) => Math.round((Date.parse(String(moment)) - Date.now()) / 86_400_000)
  expect([daysUntil(expiring?.expires), daysUntil(lasting?.expires)]).toEqual([10, 90])
  await expect
    .poll(async () => (await listSites(service)).map(({ ssl, expires }) => [ssl, daysUntil(expires)]))
    .toEqual([
      [true, 10],
      [true, 90],
    ])
  const { body } = await get(service, `/servers/${server}/summary`)
  expect((body.item as Record<string, unknown>[])[0]).toMatchObject({ failing_certificates: ['expiring.example.org'] })
})

test('a site whose first label keeps names away has SSL for the others', async () => {
  await using service = await openTestService()
  const { ids } = await createSites(service, 'names.test', 'example.org')
  const [id = ''] = ids
  for (const alias of ['unreachable.example.net', 'elsewhere.example.net']) {
    expect(await post(service, `/sites/${id}/savealias`, { alias })).toMatchObject({ status: 200 })
  }
  const { events } = await streamSsl(service, id, '1')
  expect(events.at(-1)?.message).toBe('SSL of example.org is on. The certificate leaves out unreachable.example.net.')
  expect(await settingsOf(service, id)).toMatchObject({
    covered: ['example.org', 'elsewhere.example.net', 'www.example.org'],
    left_out: [{ name: 'unreachable.example.net', reason: expect.stringContaining('Nothing answers') }],
    checks: [
      { name: 'example.org', result: 'ready' },
      { name: 'elsewhere.example.net', result: 'warning' },
      { name: 'unreachable.example.net', result: 'blocked' },
      { name: 'www.example.org', result: 'ready' },
    ],
  })
})
