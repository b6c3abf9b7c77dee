/** SSL of a site: what is missing, switching it on and off, its certificate, and the alert about one that cannot be renewed. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeignSite } from '../support/foreign-site'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { proveReadable } from '../support/table-faults'
import type { UpstreamSite } from '../support/upstream/model'
import type { UpstreamOptions } from '../support/upstream/upstream'

const patience = { timeout: 60_000 }
const aDay = 86_400_000

const rows = (page: Page) => page.getByRole('table', { name: 'Names' }).locator('tbody tr')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const undoOf = (page: Page, said: string) => page.getByText(said, { exact: true }).locator('..').getByRole('button', { name: 'Undo' })

const openScene = (given: Partial<UpstreamSite>, options: UpstreamOptions) =>
  visitForeignSite('SSL', { aliases: ['www.first.example', 'shop.first.example'], ...given }, options)

test('a service with extensions: what is missing is said first, then SSL is switched on and followed live', async () => {
  const noAddress = 'first.example has no address in DNS. Create a record that points to this server.'
  const noShop = 'Nothing answers at 198.51.100.7, where DNS points for shop.first.example.'
  const blocked = { 'first.example': noAddress, 'shop.first.example': noShop }
  await using scene = await openScene({ blocked }, { extensions: true })
  const { page, upstream, site, sitePath, visitor } = scene
  await button(page, 'Turn on SSL').waitFor()
  expect(await button(page, 'Turn on SSL').isDisabled()).toBe(true)
  expect(await page.getByText(noAddress).count()).toBe(2)
  expect(await rows(page).allInnerTexts()).toEqual([
    expect.stringMatching(/^first\.example\s+Blocked/),
    expect.stringMatching(/^shop\.first\.example\s+Blocked/),
    expect.stringMatching(/^www\.first\.example\s+Ready/),
  ])
  await page.getByText('Point each name to this address with an A record:').waitFor()
  await button(page, 'Copy the A record').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await proveReadable(page)

  site.blocked = { 'shop.first.example': noShop }
  await button(page, 'Check again').click()
  await expect.poll(() => button(page, 'Turn on SSL').isDisabled()).toBe(false)
  upstream.model.siteLines = { steps: ['check-names', 'certificate', 'web-server'], msPerLine: 6000 }
  await button(page, 'Turn on SSL').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Check names').first().waitFor(patience)
  expect(await button(page, 'Turn on SSL').isDisabled()).toBe(true)
  await page.reload()
  await page.getByRole('progressbar').waitFor()
  await page.getByRole('link', { name: 'View log' }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await button(page, 'Turn off SSL').waitFor(patience)
  await expect.poll(() => page.getByRole('progressbar').count(), patience).toBe(0)
  expect(upstream.callsTo('POST', `${sitePath}/setssl`).map(({ fields }) => fields)).toEqual([{ status: '1' }])
  await page.getByText(/^\d+ \w+ \d{4}, in 3 months$/).waitFor()
  await page.getByText('2 of 3').waitFor()
  await row(page, 'shop.first.example').getByText('Left out').first().waitFor()
  expect(await page.getByRole('link', { name: 'Open site' }).getAttribute('href')).toBe('https://first.example/')
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('a certificate is renewed for a name that can be reached again, SSL is switched off and on again, pasted aliases are one order', async () => {
  const shop = 'shop.first.example'
  const times = { issued: new Date(Date.now() - aDay).toISOString(), expires: new Date(Date.now() + 89 * aDay).toISOString() }
  const certificate = { covered: ['first.example', 'www.first.example'], ...times }
  await using scene = await openScene({ ssl: true, certificate }, { extensions: true })
  const { page, upstream, sitePath, origin, visitor } = scene
  upstream.model.siteLines = { steps: ['certificate'], msPerLine: 300 }
  await row(page, shop).getByText('Left out').first().waitFor()
  await button(page, 'Renew now').click()
  await page.getByText('The certificate was renewed.').waitFor(patience)
  await expect.poll(() => row(page, shop).innerText()).toMatch(/Covered/)
  expect(await button(page, 'Renew now').count()).toBe(0)

  await button(page, 'Turn off SSL').click()
  await page.getByRole('dialog').getByText('Addresses that begin with https:// no longer answer.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await undoOf(page, 'SSL is off.').waitFor(patience)
  await page.getByText('Kept while SSL is off').waitFor()
  await undoOf(page, 'SSL is off.').click()
  await page.getByText('SSL is on again.').waitFor(patience)
  await button(page, 'Turn off SSL').waitFor()

  // Several pasted aliases are one order.
  await page.getByRole('link', { name: 'Aliases', exact: true }).click()
  await page.getByLabel('Add aliases').fill('a.example b.example c.example')
  await button(page, 'Add 3 aliases').click()
  await page.getByRole('list', { name: 'Outcome' }).getByText('Added').nth(2).waitFor(patience)
  expect(upstream.callsTo('POST', `${sitePath}/savealias`).map(({ fields }) => fields.more)).toEqual(['1', '1', '0'])

  await page.goto(`${origin}/sites`)
  await page
    .getByText(/^\d+ days left$/)
    .first()
    .waitFor(patience)
  await page.goto(`${origin}/activity`)
  await page.getByText('Turned SSL off').first().waitFor()
  expect(visitor.complaints).toEqual([])
})

test('a switch that fails: the sentence stays, through a reload; a failing renewal is on the page, the server and Home', async () => {
  await using scene = await openScene({}, { extensions: true })
  const { page, upstream, site, sitePath, origin, visitor, url } = scene
  await button(page, 'Turn on SSL').waitFor()
  const refusal = 'The certificate authority refused first.example three times within an hour.'
  site.blocked = { 'first.example': refusal }
  await button(page, 'Turn on SSL').click()
  const failed = page.getByRole('main').locator('p.font-semibold', { hasText: refusal })
  await failed.waitFor(patience)
  await page.reload()
  await failed.waitFor()
  await page.getByText(/tried this/).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  const long = (index: number) => `${'a-very-long-label-of-a-name.'.repeat(5)}alias-${index}.example`
  site.aliases = Array.from({ length: 40 }, (_, index) => long(index))
  site.ssl = true
  site.blocked = { [long(7)]: `Nothing answers at 198.51.100.7, where DNS points for ${long(7)}.` }
  const times = { issued: new Date(Date.now() - 70 * aDay).toISOString(), expires: new Date(Date.now() + 20 * aDay).toISOString() }
  site.certificate = { covered: ['first.example', ...site.aliases.filter((name) => name !== long(7))], ...times }
  site.settings = { problem: 'The certificate authority issued no certificate: Timeout during connect.' }
  await page.reload()
  await page.getByText('The certificate could not be renewed.').waitFor()
  await page.getByText('Timeout during connect').waitFor()
  await expect.poll(() => rows(page).first().innerText()).toContain('Left out')
  await page.getByLabel('Filter names').fill('alias-12')
  await expect.poll(() => page.locator('main p[role=status]').first().innerText()).toBe('1 of 41 names')
  await button(page, 'Clear filters').click()
  expect(await faultsInAllLooks(page)).toEqual([])
  await proveReadable(page)

  for (const server of upstream.model.servers.values()) server.found = { failing_certificates: ['first.example', 'xn--mnchen-3ya.example'] }
  await page.goto(url)
  await page.getByText('2 certificates could not be renewed.').waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(origin)
  await page.getByText('The certificates of first.example, münchen.example could not be renewed.').waitFor(patience)
  await page.getByRole('link', { name: 'View sites' }).first().click()
  await page.waitForURL(/\/servers\/[^/]+\/sites\?ssl=on$/)
  expect(upstream.callsTo('POST', `${sitePath}/setssl`)).toHaveLength(1)
  expect(visitor.complaints).toEqual([])
})

test('a foreign service: only whether SSL is on, in each dialect, and what it answers to the switch', async () => {
  await using scene = await openScene({}, {})
  const { page, upstream, site, sitePath, visitor } = scene
  await button(page, 'Turn on SSL').waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
  expect(await button(page, 'Check again').count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
  for (const variant of ['bare-item', 'flags-as-digits', 'flags-as-words', 'php-warning', 'unknown-members'] as const) {
    upstream.set(variant, { path: `${sitePath}/settings` })
    await page.reload()
    await button(page, 'Turn on SSL').waitFor()
  }
  upstream.clear()
  upstream.set('500-json', { path: `${sitePath}/setssl`, times: 1 })
  await button(page, 'Turn on SSL').click()
  await page.getByRole('link', { name: 'View log' }).waitFor(patience)
  await button(page, 'Turn on SSL').click()
  await undoOf(page, 'SSL is on.').waitFor(patience)
  await button(page, 'Turn off SSL').waitFor()
  expect(await page.getByRole('link', { name: 'View log' }).count()).toBe(0)
  expect(site.ssl).toBe(true)
  expect(await faultsOf(page)).toEqual([])

  upstream.set('500-json')
  await page.reload()
  await page.getByText('The SSL settings of first.example could not be read.').waitFor()
  await page.getByText('Gatehouse doesn’t know whether SSL is on.').waitFor()
  expect(await page.getByRole('button', { name: /^Turn o/ }).count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})
