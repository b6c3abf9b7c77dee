/** A forgotten password where Gatehouse sends mail: a mailed link, a new password, every other browser signed out, and the owner notified. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForBell } from '../support/bell'
import { type MailServer, startMailServer } from '../support/mail-server'
import { faultsOf } from '../support/page-faults'
import { type TeamVisit, visitTeam } from '../support/team-visit'

let mail: MailServer
let visit: TeamVisit

beforeAll(async () => {
  mail = await startMailServer()
  visit = await visitTeam({ SMTP_URL: mail.url, MAIL_FROM: 'gatehouse@northwind.test' })
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await mail?.[Symbol.asyncDispose]()
})

const newPassword = 'five storks above the weir'

/** Invitations are mailed, too. */
const resetMails = () => mail.received.filter(({ text }) => text.includes('Subject: New password for Gatehouse'))

/** From the sign-in page, by keys alone. Resolves with what the page says then. */
async function askForLink(page: Page, email: string): Promise<string> {
  await page.goto(`${visit.gatehouse.url}/sign-in`)
  await page.getByRole('link', { name: 'Forgot password?' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
  await page.getByLabel('Email').focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await page.getByText('Check your mail.').waitFor()
  return page.getByRole('main').innerText()
}

test('security 16: at 390 px by keyboard, the mailed link sets a new password; the old browser is signed out and the owner notified', async () => {
  const old = await visit.join('Robin Ekholm', 'operator')
  await old.page.goto(`${visit.gatehouse.url}/servers`)
  const robin = await visit.visitor.another({ viewport: { width: 390, height: 844 } })
  const unknown = await askForLink(robin, 'nobody@northwind.test')
  expect(await askForLink(robin, 'robin.ekholm@northwind.test')).toBe(unknown)
  expect(await faultsOf(robin)).toEqual([])
  await expect.poll(() => resetMails().map(({ to }) => to)).toEqual(['robin.ekholm@northwind.test'])
  const link = /http\S+/.exec(resetMails()[0]?.text ?? '')?.[0] ?? ''
  await robin.goto(link)
  await robin.getByText('For robin.ekholm@northwind.test.').waitFor()
  expect(await faultsOf(robin)).toEqual([])
  await robin.getByLabel('New password').focus()
  await robin.keyboard.type(newPassword)
  await robin.keyboard.press('Enter')
  await robin.waitForURL(({ pathname }) => pathname === '/')
  await old.page.getByRole('link', { name: 'Jobs' }).first().click()
  await old.page.waitForURL('**/sign-in?**')
  await old.page.getByLabel('Email').fill('robin.ekholm@northwind.test')
  await old.page.getByLabel('Password', { exact: true }).fill(newPassword)
  await old.page.keyboard.press('Enter')
  await old.page.waitForURL('**/jobs')
  await old.page.goto(link)
  await old.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  await visit.page.goto(`${visit.gatehouse.url}/team`)
  await waitForBell(visit.page, /The password of Robin Ekholm was reset\. All its sessions ended\./)
})

test('where members ask for their own link, nobody makes one for them', async () => {
  await visit.page.getByRole('button', { name: 'Actions for Robin Ekholm' }).click()
  await visit.page.getByRole('menuitem', { name: 'Change role' }).waitFor()
  expect(await visit.page.getByRole('menuitem', { name: /Reset password|Change email/ }).count()).toBe(0)
})
