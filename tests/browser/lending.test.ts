/** An owner lends their own connection for the logs and backups of one site; the guest uses it for that, and for nothing after it is frozen or ended. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForBell } from '../support/bell'
import { openMenu } from '../support/open-menu'
import { faultsInAllLooks } from '../support/page-faults'
import { readPages, waitToSee } from '../support/shown-text'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let mira: Page
let gwen: Page

const phone = { width: 390, height: 844 }

beforeAll(async () => {
  upstream = await startUpstream({ extensions: true })
  const [shop, other] = [upstream.addServer({ name: 'heron-1', state: 'ready' }), upstream.addServer({ name: 'otter-1', state: 'ready' })]
  upstream.addSite({ domain: 'shop.example', server: shop })
  upstream.addSite({ domain: 'blog.otter.example', server: shop })
  upstream.addSite({ domain: 'otter.example', server: other })
  upstream.model.siteLines = { steps: Array.from({ length: 600 }, (_, step) => `part ${step + 1}`), msPerLine: 200 }
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  mira = visit.page
  const fields = { label: 'Mira’s key', address: upstream.origin, apiKey: upstream.key, keeper: 'own' }
  await visit.owner.act('app/(portal)/keys/actions.ts addConnection', fields)
  gwen = (await visit.join('Gwen Okafor', 'guest', { viewport: phone })).page
  const access = { subjects: 'backups,logs', effects: 'read,change', root: '', where: 'everything', until: '', why: '' }
  await visit.owner.act('app/_shared/access/actions.ts giveAccess', { to: 'role guest', ...access })
  await mira.goto(`${visit.gatehouse.url}/sites`)
  await mira.getByText('otter.example').first().waitFor(patience)
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

const patience = { timeout: 30_000 }
const soon = { timeout: 5_000 }

const rows = (page: Page, table: string): Locator => page.getByRole('table', { name: table }).getByRole('row')

const alsoAccess = (dialog: Locator): Locator => dialog.getByRole('checkbox', { name: 'Also give access to the same' })

/** What a guest's lists name. */
const listed = (page: Page): Promise<string> =>
  readPages(page, visit.gatehouse.url, ['/', '/servers', '/sites', '/backups', '/jobs', '/activity', '/keys', '/team', '/notifications'])

test('at 390 px by keyboard, an owner lends their key for the logs and backups of a site until a day', async () => {
  expect(await listed(gwen)).not.toContain('shop.example')
  await mira.setViewportSize(phone)
  await mira.goto(`${visit.gatehouse.url}/keys`)
  await openMenu(mira, 'Actions for Mira’s key', 'Lending and uses')
  await mira.getByText('Lent to nobody.').waitFor(patience)
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.setViewportSize(phone)
  await mira.getByRole('button', { name: 'Lend', exact: true }).press('Enter')
  const dialog = mira.getByRole('dialog', { name: 'Lend connection' })
  await dialog.getByLabel('To', { exact: true }).selectOption('Gwen Okafor, Guest')
  await dialog.getByLabel('What').selectOption('Custom')
  await dialog.getByRole('button', { name: 'Choose none' }).press('Enter')
  for (const part of ['change', 'backups', 'logs']) await dialog.getByRole('checkbox', { name: part, exact: true }).press('Space')
  await dialog.getByLabel('Names').fill('shop.example')
  const day = new Date(Date.now() + 5 * 86_400_000)
  await dialog.getByLabel('Until').fill(`${day.toISOString().slice(0, 10)} 18:00`)
  await dialog.getByLabel('Reason').fill('Moves the shop')
  const weekday = day.toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' })
  await dialog
    .getByText(
      new RegExp(`^Gwen Okafor can use this connection to view and change the backups and logs of shop\\.example until ${weekday}.*18:00`),
    )
    .waitFor()
  // All guests have access to the backups and logs.
  expect(await alsoAccess(dialog).isChecked()).toBe(false)
  await dialog.getByText('Gwen Okafor has access to this already.').waitFor()
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.setViewportSize(phone)
  await dialog.getByRole('button', { name: 'Lend', exact: true }).press('Enter')
  await mira.getByText('The connection was lent.').waitFor()
  await waitToSee(rows(mira, 'Loans').filter({ hasText: 'Gwen Okafor' }), 'Moves the shop')
  expect(await faultsInAllLooks(mira)).toEqual([])
})

test('at 390 px, the guest sees what is lent, works with it, and finds nothing else anywhere', async () => {
  const text = await listed(gwen)
  expect(text).toContain('shop.example')
  for (const word of ['otter', upstream.key]) expect([word, text.includes(word)]).toEqual([word, false])
  await gwen.goto(`${visit.gatehouse.url}/keys`)
  await gwen.getByText(/^To view and change the backups and logs of shop\.example/).waitFor(patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await gwen.setViewportSize(phone)
  await gwen.goto(`${visit.gatehouse.url}/sites`)
  await gwen.getByRole('link', { name: 'shop.example' }).first().press('Enter')
  await gwen.waitForURL('**/sites/*/backups', patience)
  const tabs = gwen.getByRole('navigation', { name: 'Pages of shop.example' }).getByRole('link')
  expect(await tabs.allTextContents()).toEqual(['Backups', 'Logs'])
  await gwen.getByRole('button', { name: 'Create backup' }).first().press('Enter')
  await gwen.getByRole('link', { name: 'View log' }).press('Enter', patience)
  await gwen.waitForURL('**/jobs/*', patience)
  await waitToSee(gwen.getByRole('main'), /part \d/)
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('security 16: the owner sees the use, freezes the connection and thaws it; the stream ends within 5 s, the work continues', async () => {
  await mira.reload()
  await waitToSee(rows(mira, 'Uses').filter({ hasText: 'Gwen Okafor' }), 'Back up the site')
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.goto(`${visit.gatehouse.url}/keys`)
  await openMenu(mira, 'Actions for Mira’s key', 'Freeze')
  await mira.getByText('Mira’s key is frozen. Streams through it end within 5 seconds.').waitFor()
  await waitToSee(gwen.getByRole('main'), 'Followed no more, still running on the server.', soon)
  expect(await faultsInAllLooks(gwen)).toEqual([])
  const other = await gwen.context().newPage()
  await other.goto(`${visit.gatehouse.url}/keys`)
  await waitToSee(other.getByRole('main'), 'Frozen')
  await other.goto(`${visit.gatehouse.url}/sites`)
  await other.getByRole('link', { name: 'shop.example' }).first().press('Enter')
  await other.waitForURL('**/sites/*/backups', patience)
  await other.waitForLoadState('networkidle')
  await other.close()
  await openMenu(mira, 'Actions for Mira’s key', 'Thaw')
  await mira.getByText('Mira’s key is used again.').waitFor()
  await expect.poll(() => gwen.getByText('Followed no more, still running on the server.').count(), patience).toBe(0)
})

test('security 16: the owner ends the loan; the stream ends within 5 s, requests are refused, the work continues', async () => {
  await openMenu(mira, 'Actions for Mira’s key', 'Lending and uses')
  const job = gwen.url()
  const loans = rows(mira, 'Loans')
  await openMenu(mira, 'Actions for Gwen Okafor', 'End loan')
  const dialog = mira.getByRole('dialog', { name: 'End loan' })
  await dialog.getByText(/Access stays as it is/).waitFor()
  await dialog.getByRole('button', { name: 'End loan' }).press('Enter')
  await mira.getByText('The loan was ended.').waitFor()
  await gwen.waitForTimeout(5_000)
  const lines = () =>
    gwen
      .getByText(/^[\d,]+ lines$/)
      .first()
      .innerText()
  const before = await lines()
  await gwen.waitForTimeout(2_000)
  expect(await lines()).toBe(before)
  await waitToSee(loans, 'Ended')
  expect(await faultsInAllLooks(mira)).toEqual([])
  expect((await gwen.goto(job))?.status()).toBe(404)
  expect(await listed(gwen)).not.toContain('shop.example')
  // Followed on, it is asked for again from the last line.
  const begun = ({ path, headers }: Upstream['calls'][number]) => path.endsWith('/backup/creates') && headers['last-event-id'] === undefined
  expect(upstream.calls.filter(begun).length).toBe(1)
  await gwen.setViewportSize({ width: 1366, height: 900 })
  await waitForBell(gwen, /Mira Lindqvist ended the loan of the connection “Mira’s key”\./)
})

test('at 390 px by keyboard, one dialog lends and gives access to the same, and one ends both', async () => {
  await gwen.setViewportSize(phone)
  await mira.setViewportSize(phone)
  await mira.reload()
  await mira.getByRole('button', { name: 'Lend', exact: true }).press('Enter')
  const dialog = mira.getByRole('dialog', { name: 'Lend connection' })
  await dialog.getByLabel('To', { exact: true }).selectOption('The whole team')
  await dialog.getByText('This loan gives no access. To give access as well, choose a member or a role.').waitFor()
  expect(await alsoAccess(dialog).count()).toBe(0)
  await dialog.getByLabel('To', { exact: true }).selectOption('Gwen Okafor, Guest')
  await dialog.getByLabel('What').selectOption('Custom')
  await dialog.getByRole('button', { name: 'Choose none' }).press('Enter')
  for (const part of ['aliases', 'logs']) await dialog.getByRole('checkbox', { name: part, exact: true }).press('Space')
  await dialog.getByLabel('Names').fill('shop.example')
  // All guests have access to the logs.
  expect(await alsoAccess(dialog).isChecked()).toBe(false)
  await dialog
    .getByText('Gwen Okafor may lack access to some of this. The connection counts only as far as their access includes it.')
    .waitFor()
  await dialog.getByRole('checkbox', { name: 'logs', exact: true }).press('Space')
  expect(await alsoAccess(dialog).isChecked()).toBe(true)
  await dialog.getByRole('checkbox', { name: 'logs', exact: true }).press('Space')
  await alsoAccess(dialog).press('Space')
  await dialog.getByText(/^Gwen Okafor also gets access to the same for the same time\./).waitFor()
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.setViewportSize(phone)
  await dialog.getByRole('button', { name: 'Lend', exact: true }).press('Enter')
  await mira.getByText('The connection was lent.').first().waitFor()
  await gwen.goto(`${visit.gatehouse.url}/sites`)
  await gwen.getByRole('link', { name: 'shop.example' }).first().press('Enter', patience)
  await gwen.getByRole('navigation', { name: 'Pages of shop.example' }).getByRole('link', { name: 'Aliases' }).waitFor(patience)
  // The loan that ended before is still listed.
  await mira.getByRole('button', { name: 'Actions for Gwen Okafor' }).last().press('Enter')
  await mira.getByRole('menuitem', { name: 'End loan' }).press('Enter')
  const end = mira.getByRole('dialog', { name: 'End loan' })
  await end.getByText(/^Gwen Okafor can no longer use .* The access to .*aliases and logs of shop\.example stays/).waitFor()
  await end.getByRole('checkbox', { name: 'Also end the access to the same' }).press('Space')
  await end.getByText('Activity can undo the end of the access, but not that of the loan.', { exact: false }).waitFor()
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.setViewportSize(phone)
  await end.getByRole('button', { name: 'End loan' }).press('Enter')
  await mira.getByText('The loan and the access were ended.').waitFor()
  // The notifications say what it was.
  expect(await readPages(gwen, visit.gatehouse.url, ['/', '/servers', '/sites', '/backups', '/jobs', '/keys'])).not.toContain(
    'shop.example',
  )
})
