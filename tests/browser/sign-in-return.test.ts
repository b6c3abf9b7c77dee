/** A user who opens a link while signed out returns to it after signing in: path, query and line. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount, enterPassword, owner } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { query } from '../support/place-database'

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
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.stop()
  place?.[Symbol.dispose]()
})

const pathOf = (page: Page): string => page.url().slice(gatehouse.url.length)

/** Opens the link in a signed-out browser and signs in there. */
async function signInAt(link: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await visitor.another(options)
  await page.goto(gatehouse.url + link)
  await enterPassword(page)
  return page
}

const links = ['/servers', '/servers?q=web+01&state=failed#row-3', '/activity?kind=keys&target=%2F%2Fx', '/jobs/nobody#L120']

test.each(links)('%s opened while signed out is shown after signing in', async (link) => {
  const page = await signInAt(link)
  expect(pathOf(page)).toBe(link)
  await page.context().close()
})

test('a browser without scripts returns to the same line', async () => {
  const page = await signInAt('/activity?kind=keys#L7', { javaScriptEnabled: false })
  expect(pathOf(page)).toBe('/activity?kind=keys#L7')
  await page.context().close()
})

test('a wrong password first does not change the return address', async () => {
  const page = await visitor.another()
  await page.goto(`${gatehouse.url}/jobs?state=done#L3`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wrong email address or password').waitFor()
  await enterPassword(page)
  expect(pathOf(page)).toBe('/jobs?state=done#L3')
  await page.context().close()
})

test.each([
  '/sign-in?back=//evil.example',
  '/sign-in?back=%2F%252561pi%2Fauth%2Fsignout',
  '/sign-in?back=/%2561pi/servers',
  '/sign-in#//evil.example',
  '/sign-in?back=/api/servers',
])('%s leads only to Home', async (link) => {
  const page = await signInAt(link)
  expect([new URL(page.url()).origin, new URL(page.url()).pathname]).toEqual([gatehouse.url, expect.stringMatching(/^\/(%2561pi.*)?$/)])
  await page.context().close()
})

test('a link followed after the session ended, and the notice of another tab that signed out, lead back to the exact address', async () => {
  const page = await signInAt('/servers')
  const other = await page.context().newPage()
  await other.goto(`${gatehouse.url}/servers?q=web#row-1`)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  // The content that was shown is gone for a user who clicks Back.
  await page.goBack()
  await page.waitForURL('**/sign-in**')
  await other.getByText('Your session has ended.').waitFor({ timeout: 60_000 })
  await other.getByRole('link', { name: 'Sign in again' }).click()
  await enterPassword(other)
  expect(pathOf(other)).toBe('/servers?q=web#row-1')
  await query(place, 'portal', 'UPDATE Session SET revokedAt = CURRENT_TIMESTAMP')
  await other.getByRole('link', { name: 'Jobs' }).click()
  await enterPassword(other)
  expect(pathOf(other)).toBe('/jobs')
  await other.context().close()
})
