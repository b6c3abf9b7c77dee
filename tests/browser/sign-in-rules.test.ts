/** A team that requires a second factor: turned on, set up while signing in, asked for after links, and kept. */
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsInAllLooks } from '../support/page-faults'
import { query } from '../support/place-database'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page
let ada: Page
let adasSeed = ''

const password = 'Drei Kraniche ziehen nach Süden'
const newPassword = 'Fünf Störche fliegen fort'

beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  expect(visitor?.complaints).toEqual([])
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.stop()
  place?.[Symbol.dispose]()
})

/** The code of a time step; an accepted one makes that step and earlier ones worthless. */
const codeAt = (seed: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** Sets up the app on the page that offers it; its recovery codes are shown then. */
async function setUpApp(on: Page): Promise<string> {
  await on.getByRole('button', { name: 'Set up authenticator app' }).press('Enter')
  await on.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const seed = ((await on.locator('pre').first().textContent()) ?? '').replaceAll(' ', '')
  // The code of the step before is too old once this step ends.
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 10_000) await on.waitForTimeout(left)
  await on.getByLabel('Code', { exact: true }).fill(codeAt(seed, -1))
  await on.keyboard.press('Enter')
  await on.getByText('Save your recovery codes now.').waitFor()
  return seed
}

/** Returns the link. */
async function invite(email: string): Promise<string> {
  await page.goto(`${gatehouse.url}/team`)
  await page.getByRole('button', { name: 'Invite member' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  return (await page.getByRole('dialog', { name: 'Copy the invitation link' }).locator('pre').textContent()) ?? ''
}

test('security 21: an owner turns the rule on once their own account has a second factor', async () => {
  await page.goto(`${gatehouse.url}/team`)
  await page.getByText('Set up a second factor for your own account first.').first().waitFor()
  await page.goto(`${gatehouse.url}/account`)
  await setUpApp(page)
  await page.goto(`${gatehouse.url}/team`)
  const rules = page.getByRole('region', { name: 'Sign-in rules' })
  await rules.getByRole('button', { name: 'Turn on' }).press('Enter')
  await rules.getByRole('button', { name: 'Turn off' }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
})

test('security 17: at 390 px by keyboard, an invited person sets up their second factor before they are signed in', async () => {
  const link = await invite('ada@northwind.test')
  ada = await visitor.another({ viewport: { width: 390, height: 844 } })
  await ada.goto(link)
  await ada.getByLabel('Your name').fill('Ada Byron')
  await ada.getByLabel('Password', { exact: true }).fill(password)
  await ada.keyboard.press('Enter')
  await ada.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
  expect((await ada.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(401)
  expect(await faultsInAllLooks(ada)).toEqual([])
  adasSeed = await setUpApp(ada)
  expect(await faultsInAllLooks(ada)).toEqual([])
  await ada.getByRole('button', { name: 'I saved them' }).press('Enter')
  await ada.waitForURL(({ pathname }) => pathname === '/')
  expect((await ada.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(200)
})

test('the last second factor stays; owners see who has which', async () => {
  await ada.goto(`${gatehouse.url}/account`)
  await ada.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await ada.getByText('You need a second factor in your team, and this is your last one.').first().waitFor()
  await ada.goto(`${gatehouse.url}/team`)
  await ada.getByRole('table', { name: 'Members' }).waitFor()
  expect(await ada.getByText(/authenticator app/).count()).toBe(0)
  expect(await ada.getByRole('region', { name: 'Sign-in rules' }).getByRole('button').count()).toBe(0)
  await page.goto(`${gatehouse.url}/team`)
  await page
    .getByRole('row', { name: /Ada Byron/ })
    .getByText('authenticator app', { exact: true })
    .waitFor()
})

test('security 21: a reset link opens nothing without the code', async () => {
  await page.getByRole('button', { name: 'Actions for Ada Byron' }).click()
  await page.getByRole('menuitem', { name: 'Reset password' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = (await page.getByRole('dialog', { name: 'Copy the reset link' }).locator('pre').textContent()) ?? ''
  await ada.goto(link)
  await ada.getByLabel('New password').fill(newPassword)
  await ada.keyboard.press('Enter')
  await ada.getByRole('heading', { name: 'Enter your code' }).waitFor()
  expect((await ada.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(401)
  await ada.getByLabel('Code', { exact: true }).fill(codeAt(adasSeed, 0))
  await ada.keyboard.press('Enter')
  await ada.waitForURL(({ pathname }) => pathname === '/')
})

test('an invitation opened by somebody else who is signed in says so, and offers to sign out', async () => {
  const link = await invite('grace@northwind.test')
  await ada.goto(link)
  await ada.getByText('You are signed in as ada@northwind.test.').waitFor()
  expect(await faultsInAllLooks(ada)).toEqual([])
  await ada.getByRole('button', { name: 'Sign out' }).press('Enter')
  await ada.getByLabel('Your name').waitFor()
})

test('security 21: a former member accepts with password and code, and is not signed in before the code', async () => {
  await query(place, 'portal', "DELETE FROM Membership WHERE userId = (SELECT id FROM User WHERE email = 'ada@northwind.test')")
  await ada.goto(await invite('ada@northwind.test'))
  await ada.getByLabel('Password', { exact: true }).fill('a wrong guess')
  await ada.keyboard.press('Enter')
  await ada.getByText('Wrong password.').waitFor()
  await ada.getByLabel('Password', { exact: true }).fill(newPassword)
  await ada.keyboard.press('Enter')
  await ada.getByRole('heading', { name: 'Enter your code' }).waitFor()
  expect((await ada.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(401)
  await ada.getByLabel('Code', { exact: true }).fill(codeAt(adasSeed, 1))
  await ada.keyboard.press('Enter')
  await ada.waitForURL(({ pathname }) => pathname === '/')
})
