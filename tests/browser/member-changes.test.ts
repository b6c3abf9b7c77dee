/** What an owner changes about a member without a mail server, and a member who leaves: each takes effect in the member's own browser. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForBell } from '../support/bell'
import { faultsInAllLooks } from '../support/page-faults'
import { query } from '../support/place-database'
import { type TeamVisit, visitTeam } from '../support/team-visit'

let visit: TeamVisit
let mira: Page
let robin: Page

beforeAll(async () => {
  visit = await visitTeam()
  mira = visit.page
  robin = (await visit.join('Robin Ekholm', 'operator')).page
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
})

const password = 'three cranes over the estuary'
const row = (page: Page, name: string): Locator => page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: name })

/** By keyboard: the menu of a member, one of its items, and the dialog that it opens. */
async function openDialog(page: Page, name: string, item: string): Promise<Locator> {
  const wanted = page.getByRole('menuitem', { name: item })
  // The page may not react yet; a second key would close an open menu.
  const open = async () => {
    if ((await page.getByRole('menu').count()) === 0) await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
    return wanted.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(open, { timeout: 20_000 }).toBe(true)
  await wanted.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/** Signs in on the page that the browser was led to. */
async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const expectSignedOut = async (page: Page) => {
  await page.getByRole('link', { name: 'Jobs' }).first().click()
  await page.waitForURL('**/sign-in?**')
}

test('an end of the membership is set, shown, and taken back', async () => {
  await mira.goto(`${visit.gatehouse.url}/team`)
  const next = new Date(Date.now() + 7 * 86_400_000)
  const set = await openDialog(mira, 'Robin Ekholm', 'Set end')
  await set.getByLabel('Last day').fill('1/31/2020')
  await mira.keyboard.press('Enter')
  await set.getByText('Enter a date such as 2026-11-28.').waitFor()
  await set.getByLabel('Last day').fill('31.1.2020')
  await mira.keyboard.press('Enter')
  expect(await set.getByLabel('Last day').inputValue()).toBe('2020-01-31')
  await set.getByText('Choose a day that is not over yet.').waitFor()
  expect(await faultsInAllLooks(mira)).toEqual([])
  // As the calendar chooses it.
  await set.locator('input[type=date]').fill(next.toISOString().slice(0, 10))
  await set.getByLabel('Last day').press('Enter')
  await mira.getByText('The membership of Robin Ekholm was changed.').waitFor()
  const day = next.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  await row(mira, 'Robin Ekholm').getByText(day).waitFor()
  const again = await openDialog(mira, 'Robin Ekholm', 'Set end')
  await again.getByLabel('Last day').fill('')
  await again.getByRole('button', { name: 'Set end' }).press('Enter')
  await expect.poll(() => row(mira, 'Robin Ekholm').getByText(day).count()).toBe(0)
})

test('security 16: a disabled account is signed out and cannot sign in; enabled, it can', async () => {
  await robin.goto(`${visit.gatehouse.url}/servers`)
  const disable = await openDialog(mira, 'Robin Ekholm', 'Disable account')
  await disable.getByRole('button', { name: 'Disable account' }).press('Enter')
  await mira.getByText('Robin Ekholm was disabled.').waitFor()
  await row(mira, 'Robin Ekholm').getByText('Disabled').waitFor()
  expect(await faultsInAllLooks(mira)).toEqual([])
  await expectSignedOut(robin)
  await signIn(robin, 'robin.ekholm@northwind.test')
  await robin.getByText('Wrong email address or password.').waitFor()
  const enable = await openDialog(mira, 'Robin Ekholm', 'Enable account')
  await enable.getByRole('button', { name: 'Enable account' }).press('Enter')
  await mira.getByText('Robin Ekholm was enabled.').waitFor()
  await signIn(robin, 'robin.ekholm@northwind.test')
  await robin.waitForURL('**/jobs')
})

test('security 16: with a new address the member is signed out, signs in with it, and is notified', async () => {
  const change = await openDialog(mira, 'Robin Ekholm', 'Change email')
  await change.getByLabel('New email').fill('mira@northwind.test')
  await mira.keyboard.press('Enter')
  await change.getByText('Another account has this address.').waitFor()
  await change.getByLabel('New email').fill('robin@new.test')
  await mira.keyboard.press('Enter')
  await mira.getByText('The address of Robin Ekholm was changed.').waitFor()
  await row(mira, 'Robin Ekholm').getByText('robin@new.test').waitFor()
  await expectSignedOut(robin)
  await signIn(robin, 'robin@new.test')
  await robin.waitForURL('**/jobs')
  await waitForBell(robin, /The address of your account is now robin@new\.test, changed by Mira Lindqvist\./)
})

test('security 16: once the membership is over, the next click is the sign-in, and the page Team says it', async () => {
  const past = new Date(Date.now() - 60_000).toISOString()
  await query(visit.place, 'portal', `UPDATE Membership SET endsAt = '${past}' WHERE role = 'operator'`)
  await expectSignedOut(robin)
  await mira.reload()
  await row(mira, 'Robin Ekholm').getByText('Ended', { exact: true }).waitFor()
})

test('security 16: at 390 px by keyboard, a member leaves the team and is at the sign-in', async () => {
  const { page: ada } = await visit.join('Ada Byron', 'admin', { viewport: { width: 390, height: 844 } })
  await ada.goto(`${visit.gatehouse.url}/team`)
  const leave = await openDialog(ada, 'Ada Byron', 'Leave team')
  await leave.getByText('You are signed out everywhere and no longer a member.').waitFor()
  await leave.getByRole('button', { name: 'Leave team' }).press('Enter')
  await ada.waitForURL('**/sign-in**')
  await signIn(ada, 'ada.byron@northwind.test')
  await ada.getByText('Wrong email address or password.').waitFor()
  await mira.reload()
  await row(mira, 'Robin Ekholm').waitFor()
  expect(await row(mira, 'Ada Byron').count()).toBe(0)
  await mira.getByRole('region', { name: 'Former members' }).getByRole('link', { name: 'Ada Byron' }).waitFor()
})
