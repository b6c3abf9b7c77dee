/** Filters on a phone: one button, with how many are set, opens a sheet that nothing is cut off in. It also works without scripts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from '../support/page-faults'
import { installWithSites } from '../support/sandbox-sites'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'

const phone = { width: 390, height: 844 }

let visit: SandboxVisit
beforeAll(async () => {
  visit = await visitSandbox('harbour-01')
  await installWithSites(visit, ['harbour.example'])
  await visit.page.setViewportSize(phone)
})
afterAll(() => visit[Symbol.asyncDispose]())

test.each(['/servers', '/jobs', '/activity'])('the filters of %s take less than a third of a phone', async (path) => {
  const { page, gatehouse } = visit
  await page.goto(gatehouse.url + path)
  const open = page
    .locator('main')
    .getByRole('button', { name: /^Filter\b/ })
    .first()
  await open.waitFor()
  const filters = page.locator('[data-filters]').first()
  expect(await filters.isVisible()).toBe(false)
  const [begin, row] = [await open.boundingBox(), await page.locator('main :is(tbody tr, h2)').first().boundingBox()]
  expect((row?.y ?? 0) - (begin?.y ?? 0)).toBeLessThan(phone.height / 3)
  await open.click()
  expect(await page.getByRole('group', { name: 'Filters' }).first().isVisible()).toBe(true)
  const sheet = await filters.boundingBox()
  expect(sheet).toMatchObject({ x: 0, width: phone.width })
  expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(phone.height)
  expect(await faultsOf(page)).toEqual([])
  await filters.getByRole('button', { name: 'Close' }).click()
  expect(await filters.isVisible()).toBe(false)
})

test('a filter of a list is chosen in the sheet, whose button then counts it', async () => {
  const { page, gatehouse } = visit
  await page.goto(`${gatehouse.url}/servers`)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filters = page.locator('[data-filters]').first()
  await filters.getByRole('button', { name: 'State', exact: true }).click()
  await page.getByRole('menuitemcheckbox').first().click()
  await page.waitForURL('**/servers?state=*')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(await filters.isVisible()).toBe(false)
  await page.getByRole('button', { name: /^Filter.*1 active/ }).waitFor()
})

test('a server’s menu leads to its entries, and the form counts and clears what they are narrowed to, without scripts too', async () => {
  const { page, gatehouse, id, visitor } = visit
  await page.goto(`${gatehouse.url}/servers/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await page.waitForURL(`**/activity?object=${id}`)
  const plain = await visitor.another({ javaScriptEnabled: false, viewport: phone })
  await plain.context().addCookies(await page.context().cookies())
  await plain.goto(page.url())
  await plain
    .locator('main')
    .getByRole('button', { name: /^Filter.*1 active/ })
    .click()
  const filters = plain.locator('[data-filters]')
  await filters.getByLabel('Server or site').selectOption({ label: 'Any' })
  await filters.getByRole('button', { name: 'Filter', exact: true }).click()
  await plain.waitForURL((url) => !url.search.includes(id))
  expect(await plain.getByRole('link', { name: 'harbour-01' }).count()).toBeGreaterThan(0)
})
