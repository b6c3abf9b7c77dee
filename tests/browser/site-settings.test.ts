/** The settings of a site: its PHP, its limits and the folder that is served. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeignSite } from '../support/foreign-site'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { installWithSites } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 60_000 }

const openSettings = async (page: Page, origin: string, domain: string): Promise<void> => {
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return page.getByRole('link', { name: domain }).count()
    }, patience)
    .toBe(1)
  await page.getByRole('link', { name: domain }).click()
  await page
    .getByRole('navigation', { name: /^Pages of/ })
    .getByRole('link', { name: 'Settings' })
    .click()
  await page.waitForURL(/\/sites\/[^/]+\/settings$/)
}

const save = (page: Page) => page.getByRole('button', { name: 'Save settings' })

test('of a bundled site: settings are checked, saved live, undone and refused with the reason; a removed version of PHP is replaced', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, visitor } = visit
  await installWithSites(visit, ['shop.northwind.test', 'oldphp.northwind.test'])
  await openSettings(page, gatehouse.url, 'shop.northwind.test')
  const { pathname } = new URL(page.url())
  await expect.poll(() => page.title()).toContain('Settings of shop.northwind.test')
  expect(await page.getByLabel('PHP version').inputValue()).toBe('8.2')
  expect(await page.getByLabel('Upload limit').inputValue()).toBe('64')
  expect(await page.getByLabel('Requests at the same time').inputValue()).toBe('10')
  expect(await page.getByLabel('Waiting requests').inputValue()).toBe('30')
  expect(await page.getByLabel('Mails per hour').inputValue()).toBe('200')
  await page.getByText(/bcmath, .*imagick, intl, .*redis/).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.getByLabel('Memory limit').fill('5000')
  await page.getByLabel('Served folder').fill('../private')
  await save(page).click()
  await page.getByText(/Enter a folder inside public/).waitFor()
  expect(await page.getByLabel('Memory limit').getAttribute('aria-invalid')).toBe('true')
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByLabel('Memory limit').fill('512')
  await page.getByLabel('Upload limit').fill('200')
  await page.getByLabel('Requests at the same time').fill('31')
  await save(page).click()
  await page.getByText('Enter a number from 1 to 30.').waitFor()
  await page.getByLabel('Requests at the same time').fill('12')
  await page.getByLabel('Waiting requests').fill('0')
  await page.getByLabel('Mails per hour').fill('0')
  await save(page).click()
  await page.getByText('Enter a number from 1 to 5000.').waitFor()
  await page.getByLabel('Mails per hour').fill('20')
  await page.getByLabel('Served folder').fill('/web/')
  await page.keyboard.press('Enter')
  await page.getByText('The settings were saved.').waitFor(patience)
  await expect.poll(() => page.getByLabel('Served folder').inputValue()).toBe('web')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The former settings were restored.').waitFor(patience)
  await expect.poll(() => page.getByLabel('Upload limit').inputValue(), patience).toBe('64')
  expect(await page.getByLabel('Served folder').inputValue()).toBe('')
  expect(await page.getByLabel('Requests at the same time').inputValue()).toBe('10')
  expect(await page.getByLabel('Waiting requests').inputValue()).toBe('30')

  await page.getByLabel('Served folder').fill('missing')
  await save(page).click()
  await page.getByText('There is no folder public/missing. Upload it first; nothing was changed.').waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(`${gatehouse.url}/activity`)
  await page
    .getByText(
      /PHP 8\.2, uploads of 200 MB, memory of 512 MB, 12 requests at the same time, 0 waiting, 20 mails an hour and the folder public\/web/,
    )
    .first()
    .waitFor()

  await openSettings(page, gatehouse.url, 'oldphp.northwind.test')
  await page.getByText('PHP 7.4 is no longer installed on the server, so no program of this site runs.').waitFor()
  expect(await page.getByLabel('PHP version').locator('option').allInnerTexts()).toEqual(['7.4 (not installed)', '8.2'])
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByLabel('PHP version').selectOption('8.2')
  await save(page).click()
  await page.getByText('The settings were saved.').waitFor(patience)
  await expect.poll(() => page.getByText('is no longer installed').count(), patience).toBe(0)

  const { page: theirs } = await visit.join('Nils Berg', 'viewer')
  await theirs.goto(`${gatehouse.url}${pathname}`)
  await theirs.getByText('64 MB').waitFor()
  await theirs.getByText('Requests at the same time').waitFor()
  await theirs.getByText('Mails per hour').waitFor()
  expect(await save(theirs).count()).toBe(0)
  expect(await faultsOf(theirs)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('of another service: a job is followed by its steps, many versions and odd values fit, and without these members nothing is offered', async () => {
  await using visit = await visitForeign({ extensions: true }, { READ_SECONDS: '10' })
  const { page, upstream, visitor } = visit
  for (const server of visit.upstream.model.servers.values()) server.state = 'ready'
  const versions = Array.from({ length: 60 }, (_, at) => `${5 + Math.floor(at / 10)}.${at % 10}`)
  const settings = {
    php: '5.0',
    php_versions: versions,
    php_extensions: ['curl', 'mbstring'],
    upload_limit: '',
    waiting: '',
    folder: `${'deep-folder/'.repeat(15)}end`,
    mail_held_until: new Date(Date.now() + 1_800_000).toISOString(),
  }
  const id = upstream.addSite({ domain: `${'a'.repeat(63)}.${'b'.repeat(63)}.example`, settings })
  const site = upstream.model.sites.get(id)
  const origin = new URL(visit.url).origin
  await openSettings(page, origin, 'a'.repeat(63))
  await expect.poll(() => page.getByLabel('PHP version').locator('option').count()).toBe(60)
  expect(await page.getByLabel('Upload limit').inputValue()).toBe('')
  await page.getByText('The limit of 200 mails per hour was reached.').waitFor()
  await page.getByText(/^Further mail of the site’s programs is refused until \d\d:\d\d\.$/).waitFor()
  await page.getByText(/^Not installed: bcmath, gd, imagick, .*Reinstall/).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  upstream.model.siteLines = { steps: ['Check the server', 'PHP', 'Web server'], msPerLine: 3000 }
  await page.getByLabel('Upload limit').fill('10')
  await save(page).click()
  await page.getByText('33 %').waitFor(patience)
  expect(await page.getByRole('button', { name: 'Saving…' }).isDisabled()).toBe(true)
  await page.getByText('The settings were saved.').waitFor(patience)
  expect(site?.settings).toMatchObject({ php: '5.0', upload_limit: '10', memory_limit: '256', workers: '10', waiting: '' })

  upstream.set('500-json', { path: `/sites/${id}/settings` })
  await page.reload()
  await page.getByText(/The settings of .* could not be read\./).waitFor()
  expect(await save(page).count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
  upstream.clear()
  if (site) site.settings = { php: undefined, php_versions: undefined }
  await expect
    .poll(async () => {
      await page.reload()
      return page.getByText('does not report settings of sites').count()
    }, patience)
    .toBe(1)
  expect(visitor.complaints).toEqual([])
})

test('the name with www leads to the domain, and HSTS grows by one step at a time; a site without SSL is not offered it', async () => {
  const certificate = { covered: ['first.example'], issued: '2026-11-01T00:00:00Z', expires: '2099-01-01T00:00:00Z' }
  const given = { aliases: ['www.first.example'], ssl: true, certificate }
  await using scene = await visitForeignSite('Settings', given, { extensions: true })
  const { page, site, visitor, origin } = scene
  const saved = page.getByText('The settings were saved.')
  const hsts = page.getByLabel('HSTS')
  const options = () => hsts.locator('option').allInnerTexts()
  await page.getByLabel('www.first.example').selectOption('Redirects to first.example')
  expect(await options()).toEqual(['Off', '5 minutes'])
  await hsts.selectOption('5 minutes')
  expect(await faultsInAllLooks(page)).toEqual([])
  await save(page).click()
  await saved.waitFor(patience)
  expect(site.settings).toMatchObject({ www_redirect: true, hsts: '300' })
  await expect.poll(options, patience).toEqual(['Off', '5 minutes', '1 week'])
  expect(await page.getByLabel('www.first.example').inputValue()).toBe('1')
  await page.getByRole('link', { name: 'SSL', exact: true }).click()
  await page.getByText('5 minutes.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('link', { name: 'Change in Settings' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The former settings were restored.').waitFor(patience)
  expect(site.settings).toMatchObject({ www_redirect: false, hsts: '0' })
  site.ssl = false
  site.aliases = []
  await page.goto(`${origin}/activity`)
  await page
    .getByText(/HSTS of 300 seconds/)
    .first()
    .waitFor()
  await page.goBack()
  await expect
    .poll(async () => {
      await page.reload()
      return hsts.count()
    }, patience)
    .toBe(0)
  expect(await page.getByLabel('www.first.example').count()).toBe(0)
  expect(visitor.complaints).toEqual([])
})
