/** Aliases of a site on their page: added by paste, removed, and the removal undone. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 40_000 }

const rows = (page: Page) => page.getByRole('table', { name: 'Aliases' }).locator('tbody tr')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const outcome = (page: Page, name: string) => page.getByRole('list', { name: 'Outcome' }).getByRole('listitem').filter({ hasText: name })
const undoOf = (page: Page, said: string) => page.getByText(said).locator('..').getByRole('button', { name: 'Undo' })

/** Opens the aliases of the site from the list of sites. */
async function openAliases(page: Page, domain: string): Promise<void> {
  await page.goto(new URL('/sites', page.url()).href)
  await page.getByRole('link', { name: domain, exact: true }).click(patience)
  await page
    .getByRole('navigation', { name: `Pages of ${domain}` })
    .getByRole('link', { name: 'Aliases' })
    .click()
  await page.waitForURL(/\/sites\/[^/]+\/aliases$/)
}

test('a sandbox server: names are pasted and added one by one, a refused one stays, and a removal is undone', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, owner, id, visitor, gatehouse } = visit
  await owner.install(id)
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await page.goto(`${gatehouse.url}/sites/new?server=${id}`)
  await page.getByLabel('Domain').fill('first.example')
  await page.getByRole('button', { name: 'Add site' }).click()
  await page.getByText('first.example was created.').waitFor({ timeout: 90_000 })
  await openAliases(page, 'first.example')

  // By keyboard, with a name twice, one that is there already, and one that the server refuses in the middle.
  const field = page.getByLabel('Add aliases')
  await field.fill('shop.first.example, refused.first.example\nmünchen.example shop.first.example first.example')
  await page.getByText('Skipped: first.example (already there); shop.first.example (given twice).').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await outcome(page, 'münchen.example').getByText('Added').waitFor({ timeout: 90_000 })
  await outcome(page, 'shop.first.example').getByText('Added').waitFor()
  expect(await outcome(page, 'refused.first.example').innerText()).not.toMatch(/Added|Waiting/)
  await expect.poll(() => field.inputValue()).toBe('refused.first.example')
  await row(page, 'münchen.example').waitFor()
  expect(await row(page, 'refused.first.example').count()).toBe(0)
  expect(await row(page, 'münchen.example').getByTitle('münchen.example (xn--mnchen-3ya.example)').count()).toBeGreaterThan(0)
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.getByRole('button', { name: 'Remove shop.first.example' }).click()
  await row(page, 'shop.first.example').getByText('Removing…').first().waitFor()
  await undoOf(page, 'shop.first.example was removed.').click(patience)
  await page.getByText('shop.first.example was added again.').waitFor(patience)
  await row(page, 'shop.first.example').waitFor()

  // The certificate waits for the last name; if that is refused, it is ordered all the same.
  const tab = (name: string) => page.getByRole('navigation', { name: 'Pages of first.example' }).getByRole('link', { name, exact: true })
  await tab('SSL').click()
  await page.getByRole('button', { name: 'Turn on SSL', exact: true }).click(patience)
  await page.getByText('SSL is on.').first().waitFor({ timeout: 90_000 })
  await tab('Aliases').click()
  await field.fill('late.first.example refused.first.example')
  await page.getByRole('button', { name: 'Add 2 aliases' }).click()
  await expect.poll(() => field.inputValue(), { timeout: 90_000 }).toBe('refused.first.example')
  await tab('SSL').click()
  const lateName = page.getByRole('table', { name: 'Names' }).locator('tbody tr').filter({ hasText: 'late.first.example' })
  await lateName.getByText('Covered').first().waitFor(patience)
  await tab('Aliases').click()
  await row(page, 'late.first.example').waitFor()

  const { page: theirs } = await visit.join('Vera', 'viewer')
  await theirs.goto(page.url())
  await row(theirs, 'shop.first.example').waitFor()
  expect(await theirs.getByRole('button', { name: /^(Remove|Actions for)/ }).count()).toBe(0)
  expect(await theirs.getByLabel('Add aliases').count()).toBe(0)
  expect(await faultsOf(theirs)).toEqual([])

  await page.goto(`${gatehouse.url}/activity`)
  await page.getByText('Deleted the alias shop.first.example').first().waitFor()
  expect(visitor.complaints).toEqual([])
})

test('a foreign service: marks, hundreds of aliases, several removed and restored, and faults', async () => {
  await using visit = await visitForeign()
  const { page, upstream, visitor } = visit
  const aliases = Array.from({ length: 300 }, (_, index) => `alias-${index}.example`)
  const siteId = upstream.addSite({ domain: 'first.example', aliases })
  const site = upstream.model.sites.get(siteId)
  upstream.addSite({ domain: 'bare.example', aliases: [] })
  upstream.set('objects-by-number')
  await openAliases(page, 'first.example')
  await expect.poll(() => page.locator('main p[role=status]').first().innerText()).toBe('300 aliases')
  await row(page, 'alias-0.example').getByText('Matches').first().waitFor()
  await page.getByRole('button', { name: 'Copy the A record' }).waitFor()
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1800)
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.getByLabel('Filter aliases').fill('alias-29')
  await page.getByRole('checkbox', { name: 'Select alias-298.example' }).check()
  await page.getByRole('checkbox', { name: 'Select alias-299.example' }).check()
  await page.getByRole('button', { name: 'Delete 2 aliases' }).click()
  await page.getByRole('dialog').getByLabel(/^Type/).fill('2')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 aliases' }).click()
  await page.getByText('2 aliases were deleted.').waitFor(patience)
  expect(site?.aliases).toHaveLength(298)
  await undoOf(page, '2 aliases were deleted.').click()
  await page.getByText('2 aliases were restored.').waitFor(patience)
  expect(site?.aliases).toHaveLength(300)

  // The page is left once the first is deleted.
  await page.getByLabel('Filter aliases').fill('alias-28')
  for (const name of ['alias-287.example', 'alias-288.example', 'alias-289.example'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('button', { name: 'Delete 3 aliases' }).click()
  await page.getByRole('dialog').getByLabel(/^Type/).fill('3')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 3 aliases' }).click()
  await expect.poll(() => site?.aliases.length, { ...patience, interval: 10 }).toBeLessThan(300)
  await page.goto('about:blank')
  await expect.poll(() => site?.aliases.length, patience).toBe(297)
  await page.goBack()

  // A service that refuses: the name stays, its reason is shown, and the next one is added.
  upstream.set('500-json', { path: `/sites/${siteId}/savealias`, times: 1 })
  await page.getByLabel('Add aliases').fill('one.example two.example')
  await page.getByRole('button', { name: 'Add 2 aliases' }).click()
  await outcome(page, 'two.example').getByText('Added').waitFor(patience)
  await expect.poll(() => page.getByLabel('Add aliases').inputValue()).toBe('one.example')
  expect(site?.aliases.slice(297)).toEqual(['two.example'])

  await openAliases(page, 'bare.example')
  await page.getByText('No aliases yet').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  upstream.set('500-json')
  await page.reload()
  await page.getByText('The aliases of bare.example could not be read.').waitFor(patience)
  expect(await page.getByLabel('Add aliases').count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})
