/** The database of a site: its tables, how to connect, and a new password. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { pressUntil } from '../support/press'
import { installWithSites } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'
import { proveReadable } from '../support/table-faults'
import type { UpstreamSite } from '../support/upstream/model'
import type { UpstreamOptions } from '../support/upstream/upstream'

const patience = { timeout: 60_000 }

const openDatabase = async (page: Page, origin: string, domain: string): Promise<void> => {
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return page.getByRole('link', { name: domain }).count()
    }, patience)
    .toBe(1)
  await page.getByRole('link', { name: domain }).click()
  await page.getByRole('link', { name: 'Database', exact: true }).click()
  await page.waitForURL(/\/sites\/[^/]+\/database$/)
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Tables' }).locator('tbody tr[data-index]')
const figure = (page: Page) => page.locator('main p[role=status]').first().innerText()

test('of a bundled site: tables with sizes, commands to connect, and a new password that WordPress gets too', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, visitor } = visit
  await installWithSites(visit, ['app.northwind.test', 'empty.northwind.test'])
  await openDatabase(page, gatehouse.url, 'empty.northwind.test')
  await page.getByText('An app creates its tables when it is installed.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  await openDatabase(page, gatehouse.url, 'app.northwind.test')
  const { pathname } = new URL(page.url())
  await expect.poll(() => figure(page)).toBe('10 tables')
  await page.getByText('880 KB in total').waitFor()
  await page.getByText('Connect from your computer').focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^ssh -L 3307:localhost:3306 USER@\S+$/).waitFor()
  await page.getByText(/^mariadb -h 127\.0\.0\.1 -P 3307 -u (\S+) -p \1$/).waitFor()
  await page.getByText('The database accepts connections only from its own server.').waitFor()
  await page.getByRole('button', { name: 'Rows' }).click()
  await page.getByRole('button', { name: 'Rows' }).click()
  await expect.poll(() => rowsOf(page).first().innerText()).toMatch(/wp_users\s+160 KB\s+≈ 63/)
  await page.getByLabel('Filter tables').fill('meta')
  await expect.poll(() => figure(page)).toBe('4 of 10 tables')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const columns = await proveReadable(page)
  expect([columns[320], columns[1366]]).toEqual([['name'], ['name', 'size', 'rows']])
  expect(await faultsInAllLooks(page)).toEqual([])

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Set password' }).focus()
  await pressUntil(page, 'Enter', dialog)
  const password = dialog.getByLabel('Password')
  await password.fill('short')
  await password.press('Enter')
  await dialog.getByText('Password is too short.').waitFor()
  await dialog.getByRole('button', { name: 'Generate another' }).click()
  const generated = await password.inputValue()
  expect(generated).toMatch(/^\w{20}$/)
  expect(await faultsInAllLooks(page)).toEqual([])
  await password.press('Enter')
  await dialog.getByText('The new password was also written to:').waitFor()
  await dialog.getByText(/^\/home\/\S+\/public\/wp-config\.php$/).waitFor()
  expect(await dialog.locator('code').textContent()).toBe(generated)
  expect(await faultsInAllLooks(page)).toEqual([])
  // Only the button closes it without a question.
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Leave without the password?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('set-password')
  expect(await page.content()).not.toContain(generated)
  await page.goto(`${gatehouse.url}/activity`)
  await page.getByText('Set the database password').first().waitFor()

  const { page: theirs } = await visit.join('Nils Berg', 'viewer')
  await theirs.goto(`${gatehouse.url}${pathname}`)
  await expect.poll(() => figure(theirs)).toBe('10 tables')
  expect(await theirs.getByRole('button', { name: 'Set password' }).count()).toBe(0)
  expect(await faultsOf(theirs)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

type Scene = ForeignVisit & { site: UpstreamSite; reads: string }

async function openScene(given: Partial<UpstreamSite> = {}, options: UpstreamOptions = {}): Promise<Scene> {
  const visit = await visitForeign(options, { READ_SECONDS: '10' })
  for (const server of visit.upstream.model.servers.values()) server.state = 'ready'
  const id = visit.upstream.addSite({ domain: 'first.example', ...given })
  await openDatabase(visit.page, new URL(visit.url).origin, 'first.example')
  const site = visit.upstream.model.sites.get(id)
  if (!site) throw new Error('The site is gone.')
  return { ...visit, site, reads: `/sites/${id}/database/tables` }
}

test('of a foreign service: only what it reports, in each dialect, and a warning after a new password', async () => {
  await using scene = await openScene()
  const { page, upstream, site, reads, visitor } = scene
  await expect.poll(() => figure(page)).toBe('2 tables')
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Name'])
  expect(await page.locator('main dt').allInnerTexts()).toEqual(['Name', 'Server address'])
  expect(await page.getByText('Connect from your computer').count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])

  for (const variant of ['objects-by-number', 'numbers', 'php-warning', 'unknown-members'] as const) {
    upstream.set(variant, { path: reads })
    upstream.set(variant, { path: reads.replace('/tables', '') })
    await page.reload()
    await expect.poll(() => figure(page), { message: variant }).toBe('2 tables')
  }
  upstream.clear()
  const { tables } = site
  site.tables = []
  for (const variant of ['null-when-empty', 'object-when-empty'] as const) {
    upstream.set(variant, { path: reads })
    await page.reload()
    await page.getByText('The service lists no tables of this database.').waitFor()
  }
  upstream.clear()
  site.tables = Array.from({ length: 5000 }, (_, index) => `wp_${index}_${'long_'.repeat(index % 12)}options`)
  await page.reload()
  await expect.poll(() => figure(page)).toBe('5,000 tables')
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1500)
  await page.getByLabel('Filter tables').fill('wp_4321_')
  await expect.poll(() => figure(page)).toBe('1 of 5,000 tables')
  await proveReadable(page)
  site.tables = tables

  await page.getByRole('button', { name: 'Set password' }).click()
  const dialog = page.getByRole('dialog')
  const password = await dialog.getByLabel('Password').inputValue()
  upstream.set('500-json', { path: reads.replace('database/tables', 'savedatabase'), times: 1 })
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Password').inputValue()).toBe(password)
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByText('Apps that use this database must get the new password in their own configuration.').waitFor()
  expect(upstream.callsTo('POST', reads.replace('database/tables', 'savedatabase')).at(-1)?.fields).toEqual({ password })
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('a service that fails: the page says so, keeps what it read, and is complete again afterwards', async () => {
  await using scene = await openScene()
  const { page, upstream, reads } = scene
  await expect.poll(() => figure(page)).toBe('2 tables')
  for (const [fault, says] of [
    ['html', /answered with a web page/],
    ['500-json', /could not do this/],
    ['reset-before', /was cut off/],
  ] as const) {
    upstream.set(fault, { path: reads })
    await page.reload()
    await page.getByText('The tables of first.example could not be listed.').waitFor()
    expect(await page.locator('main').innerText()).toMatch(new RegExp(`${says.source}|Gatehouse pauses calls`))
    // The database is read apart, and stays.
    expect(await page.getByText('site_db').count()).toBe(1)
    upstream.clear()
    await expect
      .poll(async () => {
        const again = page.locator('button:enabled', { hasText: 'Try again' })
        if ((await again.count()) > 0) await again.first().dispatchEvent('click', {}, { timeout: 500 })
        return page.getByRole('table', { name: 'Tables' }).count()
      }, patience)
      .toBe(1)
  }
  upstream.set('500-json')
  await page.reload()
  await page.getByText('The database of first.example could not be read.').waitFor()
  expect(await page.getByRole('button', { name: 'Set password' }).count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
})
