/** A new address of one's own: asked for on Account, mailed, confirmed in the same session. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount, owner } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { type MailServer, startMailServer } from '../support/mail-server'
import { faultsInAllLooks } from '../support/page-faults'
import { letSignInsAge } from '../support/place-database'

let mail: MailServer
let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page

beforeAll(async () => {
  mail = await startMailServer()
  place = await makeStartedPlace({ SMTP_URL: mail.url, MAIL_FROM: 'gatehouse@northwind.test' })
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
  await mail?.[Symbol.asyncDispose]()
})

test('security 21: at 390 px by keyboard, the link is mailed after the password and opens only with a session', async () => {
  await letSignInsAge(place)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${gatehouse.url}/account`)
  await page.getByLabel('New email').fill('mira@new.test')
  await page.keyboard.press('Enter')
  await page.getByLabel('Your password').fill(owner.password)
  await page.keyboard.press('Enter')
  await page.getByText('Check the mail of mira@new.test.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await expect.poll(() => mail.received.length).toBe(1)
  const link = /http\S+/.exec(mail.received[0]?.text ?? '')?.[0] ?? ''
  const other = await visitor.another()
  await other.goto(link)
  await other.waitForURL('**/sign-in?back=**')
  await other.getByLabel('Email').fill(owner.email)
  await other.getByLabel('Password', { exact: true }).fill(owner.password)
  await other.keyboard.press('Enter')
  await other.getByText('All your other sessions are signed out.').waitFor()
  expect(await faultsInAllLooks(other)).toEqual([])
  await other.getByRole('button', { name: 'Use this address' }).press('Enter')
  await other.getByText('mira@new.test').first().waitFor()
  await page.goto(`${gatehouse.url}/account`)
  await page.getByLabel('Email').fill('mira@new.test')
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/account')
  await expect.poll(() => mail.received.at(-1)?.to).toBe(owner.email)
  await other.goto(link)
  await other.getByText('This link is not valid.').waitFor()
})
