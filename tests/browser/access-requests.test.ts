/** A guest asks where a right is missing, an admin approves or refuses, and the guest's page continues: by keyboard, at 390 px, in three browsers. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let mira: Page
let ada: Page
let gwen: Page
let site = ''

const phone = { viewport: { width: 390, height: 844 } }
const patience = { timeout: 30_000 }

beforeAll(async () => {
  upstream = await startUpstream({ extensions: true })
  const shop = upstream.addServer({ name: 'heron-1', state: 'ready' })
  const staging = {
    domain: 'staging.shop.example',
    exists: true,
    user: 'staging',
    files_bytes: 1_048_576,
    mixed: false,
    tables: [],
    pulled: '',
  }
  upstream.addSite({ domain: 'shop.example', server: shop, staging })
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  mira = visit.page
  const fields = { label: 'Hosting', address: upstream.origin, apiKey: upstream.key, keeper: 'team' }
  await visit.owner.act('app/(portal)/keys/actions.ts addConnection', fields)
  ada = (await visit.join('Ada Marsh', 'admin', phone)).page
  gwen = (await visit.join('Gwen Okafor', 'guest', phone)).page
  await mira.goto(`${visit.gatehouse.url}/sites`)
  await mira.getByRole('link', { name: 'shop.example' }).first().press('Enter')
  await mira.waitForURL('**/sites/*', patience)
  site = mira.url()
  await mira.goto(`${site}/access`)
  await mira.getByRole('button', { name: 'Add access' }).press('Enter')
  const dialog = mira.getByRole('dialog', { name: 'Add access' })
  await dialog.getByLabel('Who').selectOption('Gwen Okafor, Guest')
  await dialog.getByLabel('What').selectOption('Backup operator')
  await dialog.getByRole('button', { name: 'Add access' }).press('Enter')
  await mira.getByText('The access was given.').waitFor()
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

/** Tab, until the button has the focus: it can be reached by keyboard. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name, exact: true }).first()
  await wanted.waitFor(patience)
  for (let presses = 0; presses < 80; presses++) {
    if (await wanted.evaluate((button) => button === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No way to ${name} by Tab.`)
}

async function ask(page: Page, { what, why }: { what: string; why: string }): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Ask for access' })
  await dialog.getByLabel('What').selectOption(what)
  await dialog.getByLabel('How long').selectOption('For 1 hour')
  await dialog.getByLabel('Reason').fill(why)
  await dialog.getByText(/^Asks to .* of shop\.example, for 1 hour\.$/).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached', ...patience })
}

test('below a page the guest asks for the logs of the site, and an empty reason is refused beside its field', async () => {
  await gwen.goto(`${site}/backups`)
  await gwen.getByText('An owner or admin can give you access to it.').waitFor(patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await tabTo(gwen, 'Ask for access')
  await gwen.keyboard.press('Enter')
  const dialog = gwen.getByRole('dialog', { name: 'Ask for access' })
  await dialog.getByLabel('Reason').press('Enter')
  await dialog.getByText('Enter the reason.').waitFor()
  const choices = await dialog.getByLabel('What').locator('option').allTextContents()
  expect(choices).toContain('View the logs')
  expect(choices).not.toContain('View the backups')
  await ask(gwen, { what: 'View the logs', why: 'The shop is slow' })
  await gwen.getByText(/You asked to view the logs of shop\.example, for 1 hour/).waitFor(patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('the bell and the palette lead an admin to the request, who approves it; the guest’s page says so and has its new tab', async () => {
  await ada.goto(`${visit.gatehouse.url}/notifications`)
  await ada.getByRole('link', { name: /^Gwen Okafor asks for access to view the logs of shop\.example, for 1 hour\.$/ }).waitFor(patience)
  await ada.keyboard.press('Control+k')
  await ada.getByRole('combobox').fill('approve')
  await ada.getByRole('option', { name: 'Access requests (1)' }).waitFor(patience)
  await ada.keyboard.press('Enter')
  await ada.waitForURL('**/team/requests', patience)
  expect(await faultsInAllLooks(ada)).toEqual([])
  await tabTo(ada, 'Approve… Gwen Okafor: View the logs')
  await ada.keyboard.press('Enter')
  const dialog = ada.getByRole('dialog', { name: 'Approve access' })
  await dialog.getByText('Gwen Okafor asks: “The shop is slow”.').waitFor()
  await dialog.getByText(/^Can view the logs of shop\.example until .*, and nothing else/).waitFor()
  expect(await faultsInAllLooks(ada)).toEqual([])
  await dialog.getByRole('button', { name: 'Approve' }).press('Enter')
  await dialog.waitFor({ state: 'detached', ...patience })
  await ada.getByText('Nobody waits for an answer.').waitFor(patience)
  expect(gwen.url()).toBe(`${site}/backups`)
  await gwen
    .getByRole('status')
    .filter({ hasText: 'Ada Marsh approved your request to view the logs of shop.example' })
    .waitFor({ state: 'attached', ...patience })
  await gwen.getByRole('navigation', { name: 'Pages of shop.example' }).getByRole('link', { name: 'Logs' }).waitFor(patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('a refused page offers to ask, and reads itself once that is approved; a refusal reaches the guest with its reason', async () => {
  await gwen.goto(`${site}/app`)
  await gwen.getByText('Your access does not include this.').waitFor(patience)
  await tabTo(gwen, 'Ask for access')
  await gwen.keyboard.press('Enter')
  await ask(gwen, { what: 'View the apps', why: 'To see the version' })
  await ada.goto(`${visit.gatehouse.url}/team/requests`)
  await tabTo(ada, 'Approve… Gwen Okafor: View the apps')
  await ada.keyboard.press('Enter')
  await ada.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter')
  await tabTo(gwen, 'Ask to push to live')
  await gwen.keyboard.press('Enter')
  await ask(gwen, { what: 'Delete and overwrite the apps', why: 'The new shop goes live' })
  await mira.goto(`${visit.gatehouse.url}/team/requests`)
  await mira.getByRole('button', { name: 'Refuse… Gwen Okafor: Delete and overwrite the apps' }).press('Enter')
  const dialog = mira.getByRole('dialog', { name: 'Refuse access' })
  await dialog.getByRole('button', { name: 'Refuse' }).press('Enter')
  await dialog.getByText('Enter the reason.').waitFor()
  await dialog.getByLabel('Reason').fill('Not on a Friday')
  expect(await faultsInAllLooks(mira)).toEqual([])
  await dialog.getByLabel('Reason').press('Enter')
  const refused = gwen.getByRole('status').filter({ hasText: 'Mira Lindqvist refused your request to' })
  await refused.waitFor({ state: 'attached', ...patience })
  expect(await refused.textContent()).toContain('Not on a Friday')
  await gwen.goto(`${visit.gatehouse.url}/team/requests`)
  await gwen.getByText('Refused', { exact: true }).waitFor(patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('a request is withdrawn where it was made, and nobody can answer it any more', async () => {
  await gwen.goto(`${site}/backups`)
  await tabTo(gwen, 'Ask for access')
  await gwen.keyboard.press('Enter')
  await ask(gwen, { what: 'View the database', why: 'Just curious' })
  await mira.goto(`${visit.gatehouse.url}/team/requests`)
  await mira.getByRole('button', { name: 'Approve… Gwen Okafor: View the database' }).press('Enter')
  await tabTo(gwen, 'Withdraw')
  await gwen.keyboard.press('Enter')
  await gwen.getByText(/You asked to view the database/).waitFor({ state: 'detached', ...patience })
  await mira.getByRole('dialog').getByRole('button', { name: 'Approve' }).press('Enter')
  await mira.getByText('This request was answered or withdrawn in the meantime.').waitFor(patience)
})
