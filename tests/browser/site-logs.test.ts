/** The logs of a site on its page, and a new password for uploads. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { pressUntil } from '../support/press'
import { installWithSites } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'
import type { UpstreamSite } from '../support/upstream/model'
import type { UpstreamOptions } from '../support/upstream/upstream'

const patience = { timeout: 60_000 }

const openSite = async (page: Page, origin: string, domain: string): Promise<string> => {
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return page.getByRole('link', { name: domain }).count()
    }, patience)
    .toBe(1)
  await page.getByRole('link', { name: domain }).click()
  await page.waitForURL(/\/sites\/[\w-]+$/)
  return page.url()
}

const logOf = (page: Page, label: string) => page.getByRole('region', { name: `Log ${label}` })

test('of a bundled site: its logs are live, searched and linked to; one that is empty says so; its password is set and shown once', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, visitor } = visit
  await installWithSites(visit, ['shop.northwind.test', 'quiet.northwind.test'])
  const url = await openSite(page, gatehouse.url, 'shop.northwind.test')
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await page.waitForURL(`${url}/logs`)
  const log = logOf(page, 'Requests')
  await log.getByText('GET /products/').first().waitFor(patience)
  const newest = async () => Number(await log.locator('[data-index] button').last().textContent())
  const before = await newest()
  await expect.poll(newest, patience).toBeGreaterThan(before)
  await expect.poll(() => page.title()).toContain('Logs of shop.northwind.test')
  expect(await page.getByRole('combobox', { name: 'Log' }).locator('option').allInnerTexts()).toEqual(['Requests', 'Web errors', 'PHP'])
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('combobox', { name: 'Log' }).selectOption('php')
  await logOf(page, 'PHP').getByText('PHP Warning:').first().waitFor()
  await page.getByLabel('Search this log').fill('deprecated')
  await page.getByText(/^\d+ found$/).waitFor()
  expect(new URL(page.url()).searchParams.get('log')).toBe('php')

  // As a password for uploads, on the overview: by keyboard, and only the service knows whose.
  await page.goto(url)
  const dialog = page.getByRole('dialog')
  const button = page.getByRole('button', { name: 'Set password' })
  await button.focus()
  await pressUntil(page, 'Enter', dialog)
  const password = await dialog.getByLabel('Password').inputValue()
  expect(password).toMatch(/^\w{20}$/)
  expect(await faultsInAllLooks(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByText(/^The password of shopnorthwi\w+ was set$/).waitFor()
  expect(await dialog.locator('code').textContent()).toBe(password)
  // Escape would ask first, because the password is not shown again.
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('set-sftp-password')
  expect(await page.content()).not.toContain(password)
  await page.goto(`${gatehouse.url}/activity`)
  await page.getByText('Saved the SFTP password of shop.northwind.test').first().waitFor()
  await page.getByText('Read the log access').first().waitFor()

  const quiet = await openSite(page, gatehouse.url, 'quiet.northwind.test')
  await page.goto(`${quiet}/logs?log=error`)
  await page.getByText('This log is empty.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(`${quiet}/logs?log=..%2Faccess`)
  await page.getByText('could not be read').waitFor()

  const { page: theirs } = await visit.join('Nils Berg', 'viewer')
  await theirs.goto(url)
  await theirs.getByRole('heading', { name: 'Upload by SFTP' }).waitFor()
  await theirs.getByText('.htaccess files are not read').waitFor()
  expect(await theirs.getByRole('button', { name: 'Set password' }).count()).toBe(0)
  await theirs.goto(`${url}/logs`)
  await logOf(theirs, 'Requests').getByText('GET /products/').first().waitFor(patience)
  expect(await faultsOf(theirs)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

async function openScene(given: Partial<UpstreamSite>, options: UpstreamOptions) {
  const visit = await visitForeign(options, { READ_SECONDS: '10' })
  for (const server of visit.upstream.model.servers.values()) server.state = 'ready'
  const upstreamId = visit.upstream.addSite({ domain: 'first.example', ...given })
  const url = await openSite(visit.page, new URL(visit.url).origin, 'first.example')
  return { ...visit, url, path: `/sites/${upstreamId}` }
}

test('of a foreign service: no logs and no password are offered that it does not have, and an old link says so', async () => {
  await using scene = await openScene({}, {})
  const { page, url, upstream, path, visitor } = scene
  const tabs = page.getByRole('navigation', { name: 'Pages of first.example' }).getByRole('link')
  expect(await tabs.allInnerTexts()).toEqual(['Overview', 'App', 'Database', 'Aliases', 'SSL', 'Email', 'Backups', 'Access'])
  expect(await page.getByRole('button', { name: 'Set password' }).count()).toBe(0)
  for (const [tab, says] of [
    ['logs', 'does not report logs of sites'],
    ['settings', 'does not report settings of sites'],
  ] as const) {
    await page.goto(`${url}/${tab}`)
    await page.getByText(says).waitFor()
    expect(await faultsInAllLooks(page)).toEqual([])
  }
  expect(upstream.callsTo('POST', `${path}/fetchlog`)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('of another service with extensions: long and hostile lines, a fault that passes, and its user by whatever name', async () => {
  const long = `198.51.100.7 "GET /${'a'.repeat(3000)}" \u202egnp.\u0000 <script>alert(1)</script>`
  const logs = { access: Array.from({ length: 5000 }, (_, at) => `${at} ${long.slice(0, at % 50 === 0 ? 4000 : 60)}`).join('\n') }
  await using scene = await openScene({ logs, summary: { user: 'first user', root: '/public' } }, { extensions: true })
  const { page, url, upstream, path, visitor } = scene
  await page.goto(`${url}/logs`)
  await page.getByText(/^5,000 lines/).waitFor(patience)
  expect(await logOf(page, 'Requests').locator('[data-index]').count()).toBeLessThan(400)
  expect(await faultsInAllLooks(page)).toEqual([])
  upstream.set('500-json', { path: `${path}/fetchlog` })
  await page.getByText('Last updated').waitFor(patience)
  expect(await page.getByText(/^5,000 lines/).count()).toBe(1)
  upstream.clear()
  await expect.poll(() => page.getByText('Last updated').count(), patience).toBe(0)

  await page.goto(url)
  await page.getByRole('button', { name: 'Set password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill('zażółć "gęślą" jaźń')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByText('The password of first user was set').waitFor()
  const [server] = upstream.model.servers.keys()
  expect(upstream.callsTo('POST', `/servers/${server}/savesystemuser`).map(({ fields }) => fields)).toEqual([
    { user: 'first user', pass: 'zażółć "gęślą" jaźń' },
  ])
  expect(visitor.complaints).toEqual([])
})
