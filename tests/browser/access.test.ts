/** Access to one site is given, extended and ended by keyboard; a guest sees that site, what they may do there, and nothing else anywhere. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMenu } from '../support/open-menu'
import { faultsInAllLooks } from '../support/page-faults'
import { readPages, waitToSee } from '../support/shown-text'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let mira: Page
let gwen: Page

beforeAll(async () => {
  upstream = await startUpstream({ extensions: true })
  const [shop, other] = [upstream.addServer({ name: 'heron-1', state: 'ready' }), upstream.addServer({ name: 'otter-1', state: 'ready' })]
  upstream.addSite({ domain: 'shop.example', server: shop })
  upstream.addSite({ domain: 'otter.example', server: other })
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  mira = visit.page
  const fields = { label: 'Hosting', address: upstream.origin, apiKey: upstream.key, keeper: 'team' }
  await visit.owner.act('app/(portal)/keys/actions.ts addConnection', fields)
  gwen = (await visit.join('Gwen Okafor', 'guest', { viewport: { width: 390, height: 844 } })).page
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

const patience = { timeout: 30_000 }
const accessOf = (page: Page): Locator => page.getByRole('table', { name: 'Access' }).getByRole('row').filter({ hasText: 'backups' })

/** What a guest's lists name. */
const listed = (page: Page, paths = ['/', '/servers', '/sites', '/backups', '/jobs', '/activity', '/keys', '/team']): Promise<string> =>
  readPages(page, visit.gatehouse.url, paths)

test('an owner gives a guest the backups of a site until a day, after a sentence has said what that means', async () => {
  await mira.goto(`${visit.gatehouse.url}/sites`)
  await mira.getByText('otter.example').first().waitFor(patience)
  await mira.goto(`${visit.gatehouse.url}/team`)
  await openMenu(mira, 'Actions for Gwen Okafor', 'Access')
  await mira.getByText('No access to any server or site.').waitFor(patience)
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.getByRole('button', { name: 'Add access' }).press('Enter')
  const dialog = mira.getByRole('dialog', { name: 'Add access' })
  await dialog.getByLabel('What').selectOption('Backup operator')
  await dialog.getByLabel('Names').fill('nowhere.example')
  await dialog.getByLabel('Until').fill('2020-01-31 18:00')
  await dialog.getByRole('button', { name: 'Add access' }).press('Enter')
  await dialog.getByText('No server or site is called nowhere.example.').waitFor()
  await dialog.getByText('Choose a time that is not over yet.').waitFor()
  expect(await faultsInAllLooks(mira)).toEqual([])
  await dialog.getByLabel('Names').fill('shop.example')
  const day = new Date(Date.now() + 5 * 86_400_000)
  await dialog.getByLabel('Until').fill(`${day.toISOString().slice(0, 10)} 18:00`)
  await dialog.getByLabel('Reason').fill('Moves the shop')
  const weekday = day.toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' })
  await dialog
    .getByText(new RegExp(`^Can view and change the backups, .* of shop\\.example until ${weekday}.*18:00, and nothing else`))
    .waitFor()
  await dialog.getByRole('button', { name: 'Add access' }).press('Enter')
  await mira.getByText('The access was given.').waitFor()
  await waitToSee(accessOf(mira), 'Moves the shop')
  await waitToSee(accessOf(mira), /^in [45] days$/)
  expect(await faultsInAllLooks(mira)).toEqual([])
})

test('at 390 px, the guest finds the site with its backups, and nothing else anywhere', async () => {
  const text = await listed(gwen)
  expect(text).toContain('shop.example')
  for (const word of ['otter', 'Hosting', 'Mira Lindqvist was']) expect([word, text.includes(word)]).toEqual([word, false])
  await gwen.goto(`${visit.gatehouse.url}/sites`)
  await gwen.getByRole('link', { name: 'shop.example' }).first().press('Enter')
  await gwen.waitForURL('**/sites/*/backups', patience)
  const tabs = gwen.getByRole('navigation', { name: 'Pages of shop.example' }).getByRole('link')
  expect(await tabs.allTextContents()).toEqual(['Backups'])
  await gwen.getByRole('button', { name: 'Create backup' }).waitFor(patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('the page of the site says who can reach it and why; the access is extended there, and ended on the page of the member', async () => {
  const base = gwen.url().replace(/\/backups$/, '')
  await mira.goto(`${base}/access`)
  const rows = mira.getByRole('table', { name: 'Access' }).getByRole('row')
  await waitToSee(rows.filter({ hasText: 'Mira Lindqvist' }), 'Can do everything on all servers and sites')
  await waitToSee(rows.filter({ hasText: 'Gwen Okafor' }), 'Moves the shop')
  expect(await faultsInAllLooks(mira)).toEqual([])
  await openMenu(mira, 'Actions for Gwen Okafor', 'Change or extend')
  const change = mira.getByRole('dialog', { name: 'Change access' })
  await change.getByLabel('Until').fill('')
  await change.getByRole('button', { name: 'Save' }).press('Enter')
  await mira.getByText('The access was changed.').waitFor()
  await waitToSee(rows.filter({ hasText: 'Gwen Okafor' }), 'No end')
  await mira.goto(`${visit.gatehouse.url}/team`)
  await openMenu(mira, 'Actions for Gwen Okafor', 'Access')
  await openMenu(mira, 'Actions for shop.example', 'End access')
  const end = mira.getByRole('dialog', { name: 'End access' })
  expect(await faultsInAllLooks(mira)).toEqual([])
  await end.getByRole('button', { name: 'End access' }).press('Enter')
  await mira.getByText('The access was ended.').waitFor()
  await waitToSee(accessOf(mira), 'Ended')
  const answer = await gwen.goto(`${base}/backups`)
  expect(answer?.status()).toBe(404)
  expect(await listed(gwen, ['/', '/servers', '/sites', '/jobs', '/team'])).not.toContain('shop.example')
  expect(await listed(gwen, ['/activity'])).toContain('Ended the access of gwen.okafor@northwind.test to view')
})
