/** The portal used only by keyboard, and while the network or the portal is down. The pointer is never moved. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { addSandbox, createAccount, owner } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { pressUntil } from '../support/press'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor

beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await gatehouse.stop()
  place[Symbol.dispose]()
})

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement).catch(() => false)

/** Presses Tab until the target has the focus, like a user without a mouse; fails if it is never reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 40; presses += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${String(target)}.`)
}

async function pressIn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Opens the palette, types and opens the first match. */
async function choose(page: Page, words: string): Promise<void> {
  await pressUntil(page, 'Control+k', page.getByRole('combobox'))
  await page.keyboard.type(words)
  await expect.poll(() => page.getByRole('option', { selected: true }).innerText(), { timeout: 10_000 }).toContain(words)
  await page.keyboard.press('Enter')
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('from sign-in to a deleted server with only the keyboard', async () => {
  const page = await visitor.another()
  await page.goto(`${gatehouse.url}/sign-in`)
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(owner.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(owner.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Home' }).waitFor()

  await choose(page, 'Add server')
  const sandbox = page.getByRole('radio', { name: /Sandbox/ })
  await tabTo(page, page.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowDown')
  expect(await sandbox.isChecked()).toBe(true)
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('keyboard-01')
  await pressIn(page, button(page, 'Add server'))
  await page.waitForURL('**/servers/*/install')
  await pressIn(page, button(page, 'Install'))
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })

  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.waitForURL('**/servers')
  await page.getByRole('heading', { name: 'Servers' }).waitFor()
  await choose(page, 'keyboard-01')
  await page.getByRole('heading', { name: 'keyboard-01' }).waitFor()
  await page.getByText('Memory').first().waitFor()
  await pressIn(page, button(page, 'More actions'))
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('End')
  await expect.poll(() => isFocused(page.getByRole('menuitem', { name: 'Delete server' }))).toBe(true)
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Type keyboard-01 to confirm'))
  await page.keyboard.type('keyboard-01')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/servers')
  await page.getByText('keyboard-01 was deleted from the list.').waitFor()
  expect(await page.getByRole('link', { name: 'keyboard-01' }).count()).toBe(0)
  await page.context().close()
})

test('shortcuts: the overview lists them, typing in a field triggers none, and single keys can be turned off', async () => {
  const { page } = visitor
  await page.goto(gatehouse.url)
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await pressUntil(page, '?', sheet.getByText('Search servers, sites, pages and actions'))
  await pressIn(page, sheet.getByRole('checkbox'), 'Space')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox')
  await field.waitFor()
  expect(await sheet.count()).toBe(0)
  await page.keyboard.type('gs?')
  expect(await field.inputValue()).toBe('gs?')
  await page.getByText('No matches').waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate('localStorage.clear()')
})

/** Types words into the palette and presses Enter before the page has drawn again, as on a slow machine. */
const typeAndEnterAtOnce = (page: Page, words: string) =>
  page.evaluate(`{
    const field = document.querySelector('[role=combobox]')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(words)})
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  }`)

test('in the palette Enter opens what was typed, not what is still listed', async () => {
  const { page } = visitor
  await page.goto(gatehouse.url)
  await pressUntil(page, 'Control+k', page.getByRole('combobox'))
  await typeAndEnterAtOnce(page, 'Account')
  await page.waitForURL('**/account')
})

test('the palette: no axe findings in either theme, arrow keys select, and recent servers come first', async () => {
  const { page } = visitor
  await addSandbox(page, gatehouse.url, 'harbour-01')
  await page.goto(gatehouse.url)
  await pressUntil(page, 'Control+k', page.getByRole('combobox'))
  const chosen = page.getByRole('option', { selected: true })
  await expect.poll(() => chosen.innerText()).toContain('harbour-01')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations.map(({ id }) => id)).toEqual([])
  }
  await page.keyboard.press('ArrowUp')
  expect(await chosen.innerText()).toContain('Sign out')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await chosen.innerText()).toContain('Home')
  await page.keyboard.type('harb inst')
  await expect.poll(() => chosen.innerText()).toContain('Install harbour-01')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/servers/*/install')
  expect(await isFocused(page.locator('#content'))).toBe(true)
})

test('dismissed steps come back with Undo, which Tab reaches', async () => {
  const { page, context } = visitor
  await page.goto(gatehouse.url)
  const steps = page.getByRole('heading', { name: 'First steps' })
  const kept = async () => (await context.cookies()).some(({ name }) => name === 'gatehouse-first-steps')
  await pressIn(page, button(page, 'Dismiss'))
  await steps.waitFor({ state: 'detached' })
  await expect.poll(kept).toBe(true)
  await pressIn(page, button(page, 'Undo'))
  await steps.waitFor()
  await expect.poll(kept).toBe(false)
  await page.reload()
  await steps.waitFor()
})

test('offline: the page stays readable under a bar and continues automatically; after the session ended, signing in leads back to its page', async () => {
  const { page, context } = visitor
  await page.goto(`${gatehouse.url}/jobs`)
  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  const here = page.url()
  await page.getByRole('link', { name: 'Activity', exact: true }).first().click()
  await page.getByText('The other page was not opened, so that this one stays.').waitFor()
  expect(page.url()).toBe(here)
  expect(await page.getByRole('heading', { name: 'Jobs', exact: true }).isVisible()).toBe(true)
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  await context.clearCookies()
  await page.getByText('Your session has ended.').waitFor({ timeout: 30_000 })
  await pressIn(page, page.getByRole('link', { name: 'Sign in again' }))
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(owner.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(owner.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/jobs')
  await page.getByText('Your session has ended.').waitFor({ state: 'detached' })
  expect(visitor.complaints).toEqual([])
})

/** How many scripts were fetched after the page had loaded. */
const countLate = (page: Page) =>
  page.evaluate<number>(`performance.getEntriesByType('resource').filter(({ name, startTime }) =>
    name.includes('/_next/static/chunks/') && startTime > performance.getEntriesByType('navigation')[0].loadEventEnd).length`)

test('lazily loaded parts break no page while the portal is down, and work without it once loaded', async () => {
  const { page, context } = visitor
  const compact = page.getByRole('radio', { name: 'Compact' })
  const chooseInVain = async () => {
    await compact.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => compact.isChecked()).toBe(false)
  }
  // The portal stops immediately, so toasts, menus and the palette cannot be fetched.
  await page.goto(`${gatehouse.url}/account`)
  await context.route('**/*', (route) => route.abort())
  await chooseInVain()
  await pressIn(page, button(page, 'Account'))
  await page.keyboard.press('Control+k')
  await page.getByText('Gatehouse is unreachable.').first().waitFor()
  expect(await page.getByRole('heading', { name: 'Account', exact: true }).isVisible()).toBe(true)
  expect(await compact.isVisible()).toBe(true)
  await context.unrouteAll()

  await page.goto(`${gatehouse.url}/account`)
  let before = -1
  const settled = async () => {
    const now = await countLate(page)
    const still = now > 2 && now === before
    before = now
    return still
  }
  await expect.poll(settled, { interval: 1000, timeout: 20_000 }).toBe(true)
  await context.route('**/*', (route) => route.abort())
  await chooseInVain()
  await page.getByText('Your choice was not saved.').waitFor()
  await pressIn(page, button(page, 'Account'))
  await page.getByRole('menu').waitFor()
  await context.unrouteAll()
})

test('the page reports that the portal is unreachable; if a newer version runs afterwards, it offers a reload', async () => {
  const { page } = visitor
  await page.goto(`${gatehouse.url}/jobs`)
  await page.route('**/api/**', (route) => route.abort())
  // The bar reports it, and so may the part of the page that was reading at that moment.
  await page.getByText('Gatehouse is unreachable.').first().waitFor({ timeout: 30_000 })
  await page.unrouteAll({ behavior: 'wait' })
  // Every read: one from the older version would take the offer back.
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'gatehouse-build': 'a-newer-one' } })
  })
  await page.getByText('Gatehouse was updated.').waitFor({ timeout: 30_000 })
  await pressIn(page, button(page, 'Reload page'))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByText('Gatehouse was updated.').waitFor({ state: 'detached' })
})
