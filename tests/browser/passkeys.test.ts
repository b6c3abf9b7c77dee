/** Passkeys in a real browser, with its virtual authenticator: added, the way in, the second factor, step-up, removed. */
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount, owner } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsInAllLooks } from '../support/page-faults'
import { letSignInsAge, query } from '../support/place-database'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page
let device: CDPSession
let authenticatorId = ''

beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '')
  device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const added = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  authenticatorId = added.authenticatorId
})

afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.stop()
  place?.[Symbol.dispose]()
})

const verifies = (isUserVerified: boolean) => device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
const sessionCookie = async () => (await page.context().cookies()).find(({ name }) => name.endsWith('session'))?.value
const signedIn = async () => (await page.request.get(`${gatehouse.url}/api/servers`)).status() === 200
const isHome = ({ pathname }: URL) => pathname === '/'

async function enterPassword(): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${gatehouse.url}/sign-in`)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

test('security 21: a passkey is added by keyboard after the password; the recovery codes of the first second factor are shown once', async () => {
  await letSignInsAge(place)
  await page.goto(`${gatehouse.url}/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm your password to continue' })
  await dialog.getByLabel('Your password').fill(owner.password)
  await page.keyboard.press('Enter')
  await page.getByText('Save your recovery codes now.').waitFor()
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Chrome on Linux').waitFor()
  await page.getByText('10 recovery codes are left.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('table', { name: 'Passkeys' }).getByRole('button', { name: 'Edit name' }).press('Enter')
  await page.getByLabel('New name').fill('My phone')
  await page.keyboard.press('Enter')
  await page.getByText('The name was changed.').waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This device has a passkey for your account already.').waitFor()
})

test('security 17: a passkey alone signs in, by keyboard at 390 px too; somebody whom the device does not recognise sees why', async () => {
  const before = await sessionCookie()
  await page.context().clearCookies()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${gatehouse.url}/sign-in?back=%2Factivity`)
  expect(await faultsInAllLooks(page)).toEqual([])
  await verifies(false)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
  await page.getByText('No passkey was used').waitFor()
  expect(await signedIn()).toBe(false)
  await verifies(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
  await page.waitForURL('**/activity')
  await page.getByText('Signed in with a passkey').first().waitFor()
  await page.setViewportSize({ width: 1366, height: 900 })
  expect([await signedIn(), (await sessionCookie()) === before]).toEqual([true, false])
})

test('security 17: after the password the passkey is asked for, and the session has a new id', async () => {
  await enterPassword()
  const before = await sessionCookie()
  expect(await signedIn()).toBe(false)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(isHome)
  expect([await signedIn(), (await sessionCookie()) === before]).toEqual([true, false])
})

test('security 21: an action is confirmed with a passkey; without a password there is no field for one', async () => {
  await letSignInsAge(place)
  await page.goto(`${gatehouse.url}/account`)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByRole('button', { name: 'Use a passkey', exact: true }).click()
  await page.getByText('The former recovery codes no longer work.').waitFor()
  await query(place, 'portal', 'UPDATE User SET passwordHash = NULL')
  await letSignInsAge(place)
  await page.reload()
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it is you to continue' })
  await asked.getByRole('button', { name: 'Use a passkey', exact: true }).waitFor()
  expect(await page.locator('input[type=password]').count()).toBe(0)
  expect(await asked.getByRole('button', { name: 'New recovery codes' }).count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
  await asked.getByRole('button', { name: 'Use a passkey', exact: true }).press('Enter')
  await page.getByText('The former recovery codes no longer work.').last().waitFor()
  await asked.waitFor({ state: 'detached' })
})

test('a session that ends in the middle of a form continues after a passkey, and nothing typed is lost', async () => {
  await page.goto(`${gatehouse.url}/account`)
  // Before its scripts run, the form is sent by the browser, and leads to the sign-in page.
  await page
    .locator('form[novalidate]')
    .filter({ has: page.getByLabel('Your name') })
    .waitFor()
  await page.getByLabel('Your name').fill('Mira L.')
  await query(place, 'portal', `UPDATE Session SET revokedAt = '${new Date().toISOString()}' WHERE revokedAt IS NULL`)
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('dialog', { name: 'Your session has ended' }).getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Your name was saved.').waitFor()
})

test('the only way to sign in cannot be removed; without passkeys and password a new sign-in is asked for', async () => {
  const passkeys = page.getByRole('table', { name: 'Passkeys' })
  await passkeys.getByRole('button', { name: 'Remove' }).press('Enter')
  await page.getByText('This is your only way to sign in.').waitFor()
  await query(place, 'portal', "UPDATE User SET passwordHash = ''")
  await page.reload()
  await passkeys.getByRole('button', { name: 'Remove' }).click()
  await passkeys.waitFor({ state: 'detached' })
  expect(await query(place, 'portal', 'SELECT (SELECT count(*) FROM Passkey) + (SELECT count(*) FROM RecoveryCode) AS rows')).toEqual([
    { rows: 0 },
  ])
  await query(place, 'portal', 'UPDATE User SET passwordHash = NULL')
  await letSignInsAge(place)
  await page.reload()
  await page.getByRole('button', { name: 'Set up authenticator app' }).click()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await page.waitForURL('**/sign-in?back=%2Faccount')
  expect(visitor.complaints).toEqual([])
})
