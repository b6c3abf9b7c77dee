import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount, owner, signIn } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { letSignInsAge, query } from '../support/place-database'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page

beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium({ timezoneId: 'Australia/Eucla', colorScheme: 'light' })
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.stop()
  place?.[Symbol.dispose]()
})

const open = (path: string) => page.goto(gatehouse.url + path)
/** The Activity page after its chain was verified: the first visit does not wait for that. */
const openActivity = () =>
  expect
    .poll(async () => {
      await open('/activity')
      return page.getByText('The integrity of the log is being checked.').count()
    })
    .toBe(0)
const htmlClass = (from: Page) => from.evaluate('document.documentElement.className')
const rowHeight = (from: Page) => from.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--spacing-row")')

/** Searches a zone in the field, which takes the place of a plain menu once the page reacts. */
async function chooseTimeZone(words: string): Promise<void> {
  const field = page.getByRole('combobox')
  await expect.poll(() => field.evaluate(({ tagName }) => tagName)).toBe('INPUT')
  await field.fill(words)
  await field.press('Enter')
}

test('theme, density and time zone are stored with the account: after a reload, and from the first paint in another browser', async () => {
  await open('/account')
  await page.getByText(/It is .* in Australia\/Eucla/).waitFor()
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click()
  await page.getByRole('radiogroup', { name: 'Table density' }).getByText('Compact').click()
  await chooseTimeZone('St Johns')
  await page.getByText('in America/St Johns').waitFor()
  await expect.poll(() => htmlClass(page)).toContain('dark')
  // Changes are shown before they are stored, one after another: a reload in between would lose the rest.
  await expect
    .poll(() => query(place, 'portal', 'SELECT theme, density, timeZone FROM User'))
    .toMatchObject([{ theme: 'dark', density: 'compact', timeZone: 'America/St_Johns' }])
  await page.reload()
  expect([await htmlClass(page), await rowHeight(page)]).toEqual([expect.stringContaining('dark'), '32px'])
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('America/St Johns')
  const other = await visitor.another({ colorScheme: 'light' })
  await signIn(other, gatehouse.url)
  await expect.poll(() => htmlClass(other)).toContain('dark')
  // The server's HTML already has the chosen display, before any script runs.
  const sent = await (await other.request.get(`${gatehouse.url}/activity`)).text()
  expect(sent).toMatch(/<html[^>]*data-density="compact"[^>]*class="[^"]*dark/)
  expect(sent).toContain('Times are in <!-- -->America/St Johns')
  await other.context().close()
  await open('/account')
  await page.getByRole('radiogroup', { name: 'Theme' }).getByText('System').click()
  await expect.poll(() => htmlClass(page)).not.toContain('dark')
  await page.getByRole('radiogroup', { name: 'Table density' }).getByText('Standard').click()
  await chooseTimeZone('Browser time zone')
  await page.getByText('in Australia/Eucla').waitFor()
  await expect
    .poll(() => query(place, 'portal', 'SELECT theme, density FROM User WHERE timeZone IS NULL'))
    .toMatchObject([{ theme: null, density: null }])
})

test('security 21: ending another session asks for the password first, and nothing typed is lost', async () => {
  const other = await visitor.another({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
  await signIn(other, gatehouse.url)
  await letSignInsAge(place)
  await open('/account')
  await page.getByLabel('Your name').fill('typed but not saved')
  const row = page.getByRole('row', { name: /Firefox on Linux/ })
  expect(
    await page
      .getByRole('row', { name: /This device/ })
      .getByRole('button')
      .count(),
  ).toBe(0)
  await row.getByRole('button', { name: 'End' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your password to continue' })
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'End' }).click()
  await dialog.getByText('Wrong password.').waitFor()
  expect((await other.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(200)
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByRole('button', { name: 'End' }).click()
  await page.getByText('The session was ended.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => row.count()).toBe(0)
  expect(await page.getByLabel('Your name').inputValue()).toBe('typed but not saved')
  expect((await other.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(401)
  await other.goto(`${gatehouse.url}/account`)
  expect(other.url()).toContain('/sign-in')
  await other.context().close()
})

test('security 16: changing the password signs out every other browser, and the old password no longer works', async () => {
  const other = await visitor.another()
  await signIn(other, gatehouse.url)
  await open('/account')
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password').fill(next)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  const next = 'seven lanterns along the pier'
  await change('not the password', next)
  await page.getByText('Wrong password.').waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe(next)
  await change(owner.password, 'northwind northwind')
  await page.getByText('This password is too common.').waitFor()
  await change(owner.password, next)
  await page.getByText(/^Your password was changed\. .+ ended\.$/).waitFor()
  await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('')
  expect((await other.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(401)
  expect((await page.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(200)
  await other.goto(`${gatehouse.url}/sign-in`)
  await other.getByLabel('Email').fill(owner.email)
  await other.getByLabel('Password', { exact: true }).fill(owner.password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByText('Wrong email address or password.').waitFor()
  await other.context().close()
})

test('security 26: activity is grouped by day and filtered in the address; hostile names are shown as text', async () => {
  const name = `<img src=x onerror="document.title='run'">`
  await open('/account')
  await page.getByLabel('Your name').fill(name)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Your name was saved.').waitFor()
  await openActivity()
  await page.getByText('Log integrity verified').waitFor()
  await page.getByRole('row', { name: /Changed the password.*Done/ }).waitFor()
  await page.getByRole('row', { name: /Ended a session: Firefox on Linux.*Done/ }).waitFor()
  expect(await page.getByRole('cell', { name, exact: true }).count()).toBeGreaterThan(3)
  await page.getByLabel('Kind').selectOption('Sign-ins and accounts')
  await page.getByLabel('Outcome').selectOption('Failed')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL(/\/activity\?.*outcome=failed/)
  await expect.poll(() => page.getByRole('row', { name: /Done/ }).count()).toBe(0)
  await page.getByRole('row', { name: /Confirm the password.*Failed.*Wrong password/ }).waitFor()
  await page.reload()
  expect(await page.getByLabel('Outcome').inputValue()).toBe('failed')
  const csv = await page.request.get(`${gatehouse.url}/api/activity/csv?outcome=failed`)
  expect([csv.headers()['content-type'], (await csv.text()).includes('Confirm the password')]).toEqual(['text/csv; charset=utf-8', true])
})

test('without JavaScript the audit log is shown and its filters work', async () => {
  const plain = await visitor.another({ javaScriptEnabled: false })
  await plain.context().addCookies(await visitor.context.cookies())
  await plain.goto(`${gatehouse.url}/activity`)
  expect(await plain.getByRole('row', { name: /Signed in.*Done/ }).count()).toBeGreaterThan(0)
  await plain.getByLabel('Kind').selectOption('Sign-ins and accounts')
  await plain.getByLabel('Outcome').selectOption('Failed')
  await plain.getByRole('button', { name: 'Filter' }).click()
  await plain.waitForURL(/\/activity\?.*outcome=failed/)
  expect(await plain.getByRole('row', { name: /Confirm the password.*Failed/ }).count()).toBeGreaterThan(0)
  expect(await plain.getByRole('row', { name: /Done/ }).count()).toBe(0)
  expect(await plain.getByLabel('Outcome').inputValue()).toBe('failed')
  await plain.getByRole('link', { name: 'Clear' }).click()
  await plain.waitForURL('**/activity')
  expect(await plain.getByRole('row', { name: /Done/ }).count()).toBeGreaterThan(0)
  await plain.context().close()
})

test('security 51: tampering with the audit log is reported above everything else on the page', async () => {
  await query(place, 'portal', "UPDATE AuditRow SET outcome = 'failed' WHERE seq = 2")
  await gatehouse.stop()
  gatehouse = await startGatehouse(place)
  await openActivity()
  await page.getByRole('alert').getByText('The log was tampered with at entry 2.').waitFor()
  expect(visitor.complaints).toEqual([])
})
