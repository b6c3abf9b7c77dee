/** Columns that a member chooses, and saved views: by mouse and by keyboard, kept with the account, and opened by another member from an address. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { columnsOf } from '../support/table-faults'
import { type TeamVisit, visitTeam } from '../support/team-visit'

let visit: TeamVisit
let page: Page

beforeAll(async () => {
  visit = await visitTeam()
  page = visit.page
  for (const name of ['web-01', 'web-02', 'db-01']) await visit.owner.addSandbox(name)
  await page.setViewportSize({ width: 1920, height: 900 })
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
})

async function openList(of: Page, query = ''): Promise<void> {
  await of.goto(`${visit.gatehouse.url}/servers${query}`)
  await of.locator('main button:not([disabled])', { hasText: 'CSV' }).waitFor()
}

const tool = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const check = (label: string) => page.getByRole('menuitemcheckbox', { name: label, exact: true })
const names = (of: Page) => of.locator('tr[data-index] a').allInnerTexts()
const focusedName = () => page.evaluate('document.activeElement?.textContent ?? null')

test('columns are chosen by mouse, shown at once and after a reload; the usual ones come back', async () => {
  await openList(page)
  expect(await columnsOf(page)).toContain('address')
  await tool('Columns').click()
  await check('Address').click()
  await check('DNS').click()
  // The menu stays open for the next column.
  expect([await check('Address').isChecked(), await check('DNS').isChecked()]).toEqual([false, true])
  await page.keyboard.press('Escape')
  const chosen = await columnsOf(page)
  expect([chosen.includes('address'), chosen.includes('dns')]).toEqual([false, true])
  expect(new URL(page.url()).search).toBe('')
  await expect.poll(() => openList(page).then(() => columnsOf(page)), { interval: 500 }).toEqual(chosen)
  await tool('Columns').click()
  await page.getByRole('menuitem', { name: 'Default columns' }).click()
  await expect.poll(() => columnsOf(page), { interval: 500 }).toContain('address')
})

test('columns are chosen and a view is saved by keyboard alone', async () => {
  await openList(page, '?q=web&sort=-name')
  await tool('Columns').focus()
  await page.keyboard.press('Enter')
  await check('State').waitFor()
  await expect.poll(focusedName).toBe('State')
  await page.keyboard.press('ArrowDown')
  // The menu moves the focus a moment after the key.
  await expect.poll(focusedName).toBe('Address')
  for (const key of ['Space', 'Escape']) await page.keyboard.press(key)
  await expect.poll(() => columnsOf(page), { interval: 500 }).not.toContain('address')
  expect(await focusedName()).toBe('Columns')
  await page.keyboard.press('Shift+Tab')
  expect(await focusedName()).toBe('Views')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Save view…' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Save view' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("name") ?? null')).toBe('name')
  await page.keyboard.type('Web servers, last first')
  await page.keyboard.press('Enter')
  await tool('Web servers, last first').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('a saved view is opened by name with its columns, and by another member from its address', async () => {
  await openList(page)
  expect(await names(page)).toEqual(['db-01', 'web-01', 'web-02'])
  await tool('Views').click()
  await page.getByRole('menuitem', { name: 'Web servers, last first' }).click()
  await expect.poll(() => names(page), { interval: 500 }).toEqual(['web-02', 'web-01'])
  await page.waitForURL('**/servers?q=web&sort=-name&cols=*')
  const columns = await columnsOf(page)
  expect(columns).not.toContain('address')
  const { page: theirs } = await visit.join('Grace Hopper', 'operator')
  await theirs.setViewportSize({ width: 1920, height: 900 })
  await openList(theirs, new URL(page.url()).search)
  expect(await names(theirs)).toEqual(['web-02', 'web-01'])
  expect(await columnsOf(theirs)).toEqual(columns)
  // Neither the columns nor the view became theirs.
  await openList(theirs)
  expect(await columnsOf(theirs)).toContain('address')
  await theirs.getByRole('main').getByRole('button', { name: 'Views', exact: true }).click()
  await theirs.getByText('No saved views yet').waitFor()
  await theirs.close()
})

test('a view is saved by mouse under a name that exists, deleted, and brought back by Undo', async () => {
  await openList(page, '?q=db')
  await tool('Views').click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('Databases')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await tool('Databases').click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await page.getByText('Deleted the view “Databases”.').waitFor()
  await tool('Views').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await tool('Databases').waitFor()
})

test('figures of all servers are read only where an order needs one of them, and for a file', async () => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/api\/servers\/(vitals|figures)$/.test(pathname)) asked.push(`${pathname.split('/').at(-1)}${search}`)
  })
  await openList(page)
  await expect.poll(() => asked).toContain('figures')
  expect(asked.filter((each) => each === 'vitals' || each.includes('of='))).toEqual([])
  await openList(page, '?sort=-disk')
  await expect.poll(() => asked.some((each) => each.startsWith('figures?of=disk&order='))).toBe(true)
  expect(asked).not.toContain('vitals')
  const [saved] = await Promise.all([page.waitForEvent('download'), tool('CSV').click()])
  expect(saved.suggestedFilename()).toMatch(/^servers-.*\.csv$/)
  expect(asked).toContain('vitals')
})

test('j enters the list, Shift selects on, and no part of either menu or the list breaks a rule', async () => {
  await openList(page)
  for (const key of ['j', 'Shift+J', 'Shift+J']) await page.keyboard.press(key)
  await page.getByRole('region', { name: 'Selected servers' }).getByText('3 servers selected').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.keyboard.press('Escape')
  for (const name of ['Columns', 'Views']) {
    await tool(name).click()
    await page.getByRole('menu').waitFor()
    expect(await faultsInAllLooks(page)).toEqual([])
    await page.keyboard.press('Escape')
  }
})
