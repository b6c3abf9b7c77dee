/** Signing in with an authenticator app: set up on Account, asked for after the password, replaced by a recovery code. */
import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount, owner } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsInAllLooks } from '../support/page-faults'
import { letSignInsAge, query } from '../support/place-database'
import { findStored } from '../support/stored-secrets'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page
let seed = ''
let recoveryCodes: string[] = []

beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.stop()
  place?.[Symbol.dispose]()
})

/** The code of a time step; an accepted one makes that step and earlier ones worthless. */
const codeAt = (steps: number) => new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function enterPassword(on: Page, path = '/sign-in'): Promise<void> {
  await on.goto(gatehouse.url + path)
  await on.getByLabel('Email').fill(owner.email)
  await on.getByLabel('Password', { exact: true }).fill(owner.password)
  await on.getByLabel('Password', { exact: true }).press('Enter')
  await on.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

const focused = (on: Page) => on.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

const statusOf = async (on: Page) => (await on.request.get(`${gatehouse.url}/api/servers`)).status()

test('security 21: the app is set up by keyboard, after the password; its recovery codes are shown once, and not stored', async () => {
  await letSignInsAge(place)
  await page.goto(`${gatehouse.url}/account`)
  await page.getByRole('button', { name: 'Set up authenticator app' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm your password to continue' })
  await dialog.getByLabel('Your password').fill(owner.password)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  seed = ((await page.locator('pre').first().textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill('12345')
  await page.keyboard.press('Enter')
  await page.getByText('This code is wrong.').first().waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByLabel('Code', { exact: true }).fill(codeAt(0))
  await page.keyboard.press('Enter')
  // passkeys.test.ts looks at how they are shown.
  await page.getByText('Save your recovery codes now.').waitFor()
  // The form that had the focus is gone: the focus moves to the codes, and after them in the section.
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Copy the recovery codes')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()])
  recoveryCodes = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  expect(recoveryCodes).toHaveLength(10)
  const bytes = Buffer.from(Secret.fromBase32(seed).bytes).toString('latin1')
  expect(findStored(place, { seed, bytes, ...Object.fromEntries(recoveryCodes.entries()) })).toEqual([])
  await page.getByRole('button', { name: 'I saved them' }).press('Enter')
  await page.getByText('Save your recovery codes now.').waitFor({ state: 'detached' })
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Remove')
  await page.getByText('10 recovery codes are left.').waitFor()
  await page.reload()
  expect(await page.content()).not.toContain(recoveryCodes[0])
})

test('security 17: without scripts at 390 px too, the password alone opens nothing; the code leads to the page that was asked for', async () => {
  const other = await visitor.another({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await enterPassword(other, '/activity?kind=keys')
  expect(await statusOf(other)).toBe(401)
  await other.goto(`${gatehouse.url}/account`)
  await other.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await other.getByLabel('Code', { exact: true }).fill('000000')
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.getByText('This code is wrong, or was used before.').first().waitFor()
  await other.goto(`${gatehouse.url}/activity?kind=keys`)
  const before = (await other.context().cookies()).find(({ name }) => name.endsWith('session'))?.value
  await other.getByLabel('Code', { exact: true }).fill(codeAt(1))
  await other.getByRole('button', { name: 'Continue' }).click()
  await other.waitForURL('**/activity?kind=keys')
  expect((await other.context().cookies()).find(({ name }) => name.endsWith('session'))?.value).not.toBe(before)
  expect(await statusOf(other)).toBe(200)
  await other.context().close()
})

test('a recovery code signs in once; somebody else can start over', async () => {
  const other = await visitor.another()
  await enterPassword(other)
  expect(await faultsInAllLooks(other)).toEqual([])
  await other.getByRole('button', { name: 'Sign in as someone else' }).click()
  await other.getByLabel('Email').waitFor()
  await enterPassword(other)
  await other.getByLabel('Code', { exact: true }).fill(recoveryCodes[0]?.toLowerCase() ?? '')
  await other.keyboard.press('Enter')
  await other.waitForURL(({ pathname }) => pathname === '/')
  await other.context().clearCookies()
  await enterPassword(other)
  await other.getByLabel('Code', { exact: true }).fill(recoveryCodes[0] ?? '')
  await other.keyboard.press('Enter')
  await other.getByText('This code is wrong, or was used before.').first().waitFor()
  await other.context().close()
})

test('a session that ends in the middle of a form asks for the password and then for a code, and nothing typed is lost', async () => {
  await page.goto(`${gatehouse.url}/account`)
  await page.getByLabel('Your name').fill('Mira L.')
  await query(place, 'portal', `UPDATE Session SET revokedAt = '${new Date().toISOString()}' WHERE revokedAt IS NULL`)
  await page.getByRole('button', { name: 'Save name' }).click()
  const asked = page.getByRole('dialog', { name: 'Your session has ended' })
  await asked.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.keyboard.press('Enter')
  await asked.getByLabel('Code', { exact: true }).fill('111111')
  await page.keyboard.press('Enter')
  await asked.getByText('This code is wrong, or was used before.').waitFor()
  await asked.getByLabel('Code', { exact: true }).fill(recoveryCodes[1] ?? '')
  await page.keyboard.press('Enter')
  await page.getByText('Your name was saved.').waitFor()
  await page.getByText('8 recovery codes are left.').waitFor()
})

test('new recovery codes replace the others, and without the app the password suffices', async () => {
  await page.goto(`${gatehouse.url}/account`)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByText('Save your recovery codes now.').waitFor()
  await page.getByText('10 recovery codes are left.').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor()
  expect(await query(place, 'portal', 'SELECT (SELECT count(*) FROM Totp) + (SELECT count(*) FROM RecoveryCode) AS rows')).toEqual([
    { rows: 0 },
  ])
  expect(visitor.complaints).toEqual([])
})
