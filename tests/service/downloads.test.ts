/** Links to archives of sites, on the sandbox: how long they are good, and for whom. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { register } from './conformance/servers'
import { get, readInstall } from './support/caller'
import { openTestService, type TestService } from './support/service'
import { createSite } from './support/slow-work'

async function prepare(service: TestService, headers: Record<string, string> = {}) {
  const { id: server } = await register(service, { provider: 'sandbox', host: 'd.test', port: '22', user: 'root', pass: 'open' }, 'web')
  await readInstall(service, server)
  const { body } = await createSite(service, { domain: 'd.example.org', server, password: 'let me in, please' })
  const { body: answer } = await get(service, `/sites/${body.id}/download`, headers)
  return { link: String(answer.download_url), size: Number(answer.size) }
}

test('a link is still good after a restart of the service, and after parts were sent; once the last byte was sent it is not', async () => {
  let link: string
  let size: number
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-downloads-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  {
    await using service = await openTestService({ dir })
    ;({ link, size } = await prepare(service))
  }
  await using service = await openTestService({ dir })
  const moved = `${service.baseUrl}${new URL(link).pathname}`
  for (let time = 0; time < 2; time++) {
    const part = await fetch(moved, { headers: { range: `bytes=0-${size - 2}` } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, size - 1])
  }
  const rest = await fetch(moved, { headers: { range: `bytes=${size - 1}-` } })
  expect([rest.status, (await rest.arrayBuffer()).byteLength]).toEqual([206, 1])
  await expect.poll(async () => (await fetch(moved)).status).toBe(404)
})

test('behind a proxy that ends TLS, the link begins with https', async () => {
  await using service = await openTestService()
  const { link } = await prepare(service, { 'x-forwarded-proto': 'https' })
  expect(link.startsWith(service.baseUrl.replace('http:', 'https:'))).toBe(true)
})

test('guessed links are answered like used ones, and nothing below them exists', async () => {
  await using service = await openTestService()
  for (const path of [
    '/downloads/x',
    '/downloads/x/d.example.org-2026-11-25.tar.gz',
    `/downloads/${'A'.repeat(43)}`,
    '/downloads/..%2f..%2fetc%2fpasswd',
  ])
    expect((await fetch(`${service.baseUrl}${path}`)).status).toBe(404)
  expect((await fetch(`${service.baseUrl}/downloads/x`, { method: 'POST' })).status).toBe(401)
})
