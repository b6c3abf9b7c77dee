/** What needs a second person: asked for at 390 px, approved by another member, and sent without one by an owner; all by keyboard. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMenu } from '../support/open-menu'
import { faultsInAllLooks } from '../support/page-faults'
import { pressFor } from '../support/press'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let mira: Page
let ada: Page

beforeAll(async () => {
  upstream = await startUpstream({ extensions: true })
  const heron = upstream.addServer({ name: 'heron-1', state: 'ready' })
  for (const domain of ['shop.example', 'blog.example']) upstream.addSite({ domain, server: heron })
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  mira = visit.page
  const fields = { label: 'Hosting', address: upstream.origin, apiKey: upstream.key, keeper: 'team' }
  await visit.owner.act('app/(portal)/keys/actions.ts addConnection', fields)
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

const patience = { timeout: 30_000 }
const at = (path: string): string => `${visit.gatehouse.url}${path}`
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
const domains = (): string[] => [...upstream.model.sites.values()].map(({ domain }) => domain)

/** Leaves the browser at the dialog, which says that it waits. */
async function askToDelete(page: Page, domain: string): Promise<void> {
  await page.goto(at('/sites'))
  await page.getByRole('link', { name: domain }).first().press('Enter', patience)
  await page.waitForURL('**/sites/*', patience)
  const dialog = page.getByRole('dialog', { name: 'Delete site' })
  await pressFor(button(page, 'Delete site').first(), dialog)
  await dialog.getByLabel(`Type ${domain} to confirm`).fill(domain)
  await dialog.getByRole('button', { name: 'Delete site' }).press('Enter')
  await dialog.getByText('Waits for a second person: Delete a site: ').waitFor(patience)
}

test('the rule is refused to an owner who is alone, and turned on once another member could approve', async () => {
  await mira.goto(at('/team'))
  await mira.getByText('Deleting sites').waitFor(patience)
  await mira.getByText('one is now').first().waitFor()
  ada = (await visit.join('Ada Moreau', 'admin', { viewport: { width: 390, height: 844 } })).page
  await visit.join('Tom Okafor', 'viewer')
  await mira.reload()
  await pressFor(button(mira, 'Turn on the proposed'), mira.getByText('Turned on: Deleting servers', { exact: false }))
  expect(await faultsInAllLooks(mira)).toEqual([])
})

test('at 390 px a member asks, and the page says that it waits; the other one reads what it is, and approves it', async () => {
  await askToDelete(ada, 'shop.example')
  expect(await faultsInAllLooks(ada)).toEqual([])
  await ada.getByRole('link', { name: 'View request' }).press('Enter')
  await ada.waitForURL('**/approvals/*', patience)
  await button(ada, 'Withdraw request').waitFor(patience)
  expect(await button(ada, 'Approve and send').count()).toBe(0)
  expect(await faultsInAllLooks(ada)).toEqual([])
  expect(domains()).toContain('shop.example')
  await mira.goto(at('/'))
  await pressFor(
    mira.getByRole('button', { name: /^Notifications, \d+ unread/ }),
    mira.getByRole('menuitem', { name: /needs a second person/ }),
  )
  await mira.getByRole('menuitem', { name: /needs a second person/ }).press('Enter')
  await mira.waitForURL('**/approvals/*', patience)
  for (const text of [
    'Delete a site: shop.example',
    'What will be sent',
    'What is there now',
    'heron-1',
    'What the service says is there now',
    'Last backup',
  ]) {
    await mira.getByText(text).first().waitFor(patience)
  }
  expect(await faultsInAllLooks(mira)).toEqual([])
  await pressFor(button(mira, 'Approve and send'), mira.getByText('Approved and sent').first())
  await expect.poll(domains, patience).not.toContain('shop.example')
  await ada.reload()
  await ada.getByText('Decided by Mira Lindqvist.').waitFor(patience)
  expect(await faultsInAllLooks(ada)).toEqual([])
})

test('an owner goes without, with a reason; the list and Activity say so', async () => {
  await askToDelete(mira, 'blog.example')
  await mira.getByRole('link', { name: 'View request' }).press('Enter')
  await mira.waitForURL('**/approvals/*', patience)
  await mira.getByLabel('Reason').fill('Ada is on holiday')
  await pressFor(button(mira, 'Send without a second person'), mira.getByText('Sent without a second person.'))
  await mira.getByText('Reason: Ada is on holiday', { exact: false }).waitFor(patience)
  await expect.poll(domains, patience).toEqual([])
  await mira.goto(at('/approvals'))
  expect(await mira.getByText('Approved and sent').count()).toBe(2)
  expect(await faultsInAllLooks(mira)).toEqual([])
  await ada.goto(at('/approvals'))
  expect(await faultsInAllLooks(ada)).toEqual([])
  await mira.goto(at('/activity'))
  await mira.getByText('Went without a second person to delete a site').first().waitFor(patience)
})

test('a link that resets a password and the CSV of Activity are approved by another member; whoever asked takes the link once and the file again', async () => {
  await ada.goto(at('/team'))
  await openMenu(ada, 'Actions for Tom Okafor', 'Reset password')
  await pressFor(ada.getByRole('button', { name: 'Create link' }), ada.getByText('Waits for a second person: Make a link').first())
  await ada.getByRole('link', { name: 'View request' }).press('Enter')
  await ada.waitForURL('**/approvals/*', patience)
  const asked = ada.url()
  await mira.goto(asked)
  await pressFor(button(mira, 'Approve'), mira.getByText('The link is made when whoever asked takes it, once.', { exact: false }))
  expect(await button(mira, 'Show the link').count()).toBe(0)
  expect(await faultsInAllLooks(mira)).toEqual([])
  await ada.reload()
  await pressFor(button(ada, 'Show the link'), ada.getByText('/recover?token=', { exact: false }))
  expect(await faultsInAllLooks(ada)).toEqual([])
  // A page that was offline reads itself again, and then knows of no link any more: what is shown once stays.
  await ada.context().setOffline(true)
  await ada.getByText('You are offline.', { exact: false }).waitFor(patience)
  await ada.context().setOffline(false)
  await ada.getByText('Decided by Mira Lindqvist.').waitFor({ state: 'attached', ...patience })
  await ada.getByText('/recover?token=', { exact: false }).waitFor(patience)
  await button(ada, 'Done').press('Enter')
  await expect.poll(() => ada.getByText('/recover?token=', { exact: false }).count()).toBe(0)
  await ada.goto(at('/activity?kind=changes'))
  await pressFor(button(ada, 'Ask for CSV'), ada.getByRole('button', { name: 'View request' }))
  await ada.getByRole('button', { name: 'View request' }).press('Enter')
  await ada.waitForURL('**/approvals/*', patience)
  await mira.goto(ada.url())
  await pressFor(button(mira, 'Approve'), mira.getByText('The file is made when whoever asked takes it.', { exact: false }))
  await ada.reload()
  for (const _ of ['once', 'again']) {
    const file = ada.waitForEvent('download', patience)
    await ada.getByRole('link', { name: 'Download CSV' }).press('Enter', patience)
    expect((await file).suggestedFilename()).toBe('activity.csv')
  }
})
