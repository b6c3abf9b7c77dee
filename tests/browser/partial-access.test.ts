/** A guest who sees nothing asks in words, and an admin gives access; on five sites of which three are allowed, an action for several names the others. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { pressFor } from '../support/press'
import { waitToSee } from '../support/shown-text'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let ada: Page
let gwen: Page

const phone = { width: 390, height: 844 }
const patience = { timeout: 30_000 }
const given = ['bakery.example', 'cinema.example', 'harbour.example']
const others = ['museum.example', 'theatre.example']

beforeAll(async () => {
  upstream = await startUpstream({ extensions: true })
  const heron = upstream.addServer({ name: 'heron-1', state: 'ready' })
  for (const domain of [...given, ...others]) upstream.addSite({ domain, server: heron })
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  const fields = { label: 'Hosting', address: upstream.origin, apiKey: upstream.key, keeper: 'team' }
  await visit.owner.act('app/(portal)/keys/actions.ts addConnection', fields)
  ada = (await visit.join('Ada Marsh', 'admin', { viewport: phone })).page
  gwen = (await visit.join('Gwen Okafor', 'guest', { viewport: phone })).page
  await ada.goto(`${visit.gatehouse.url}/sites`)
  await ada.getByText('theatre.example').first().waitFor(patience)
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

/** Notes what changes in the live regions that are there now: one that appears with its content is not read by every screen reader. */
const watchLiveRegions = `(() => {
  window.readAloud = []
  for (const region of document.querySelectorAll('[role=status]')) {
    new MutationObserver(() => {
      if (region.isConnected && region.textContent.includes('approved')) window.readAloud.push(region.textContent)
    }).observe(region, { childList: true, characterData: true, subtree: true })
  }
})()`

const countBackups = () => new Map([...upstream.model.sites.values()].map(({ domain, backups }) => [domain, backups.length]))

test('at 390 px, a guest who sees nothing asks in words for what they need', async () => {
  await gwen.goto(`${visit.gatehouse.url}/sites`)
  const dialog = gwen.getByRole('dialog', { name: 'Ask for access' })
  await pressFor(gwen.getByRole('button', { name: 'Ask for access' }), dialog)
  await dialog.getByRole('button', { name: 'Ask for access' }).press('Enter')
  await dialog.getByText('Enter the reason.').waitFor()
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await gwen.setViewportSize(phone)
  await dialog.getByLabel('What you need').fill('the sites of Northwind')
  await dialog.getByLabel('How long').selectOption('For 1 hour')
  await dialog.getByLabel('Reason').fill('The yearly check')
  await dialog.getByLabel('Reason').press('Enter')
  await dialog.waitFor({ state: 'detached', ...patience })
  await gwen.getByText('You asked to get access to “the sites of Northwind”, for 1 hour').waitFor(patience)
  expect(await gwen.getByRole('button', { name: 'Ask for access' }).count()).toBe(0)
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('an admin reads it, chooses what and where, and the guest’s page lists the sites without being loaded again', async () => {
  await ada.goto(`${visit.gatehouse.url}/team/requests`)
  const dialog = ada.getByRole('dialog', { name: 'Approve access' })
  await pressFor(ada.getByRole('button', { name: 'Approve… Gwen Okafor: the sites of Northwind' }), dialog)
  await dialog.getByText('Gwen Okafor asks for access to “the sites of Northwind”: “The yearly check”.').waitFor()
  await dialog.getByLabel('What').selectOption('View everything')
  await dialog.getByLabel('Where').selectOption('All servers and sites')
  await dialog.getByText(/^Can view everything on all servers and sites until /).waitFor()
  expect(await faultsInAllLooks(ada)).toEqual([])
  await ada.setViewportSize(phone)
  await gwen.evaluate('window.notLoadedAgain = true')
  await gwen.evaluate(watchLiveRegions)
  await dialog.getByRole('button', { name: 'Approve' }).press('Enter')
  await ada.getByText('Nobody waits for an answer.').waitFor(patience)
  await gwen.getByRole('link', { name: 'theatre.example' }).first().waitFor(patience)
  expect(await gwen.evaluate('window.notLoadedAgain')).toBe(true)
  // The part of the page that showed the request is gone with the empty list, and the answer was read aloud all the same.
  const answer = /^Ada Marsh approved your request to get access to “the sites of Northwind”, for 1 hour\.$/
  await expect.poll(() => gwen.evaluate<string[]>('window.readAloud'), patience).toEqual([expect.stringMatching(answer)])
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('of five selected sites the guest may back up three: the dialog names the other two before it starts, and runs on the three', async () => {
  const work = { subjects: 'backups', effects: 'read,change', root: '', where: 'named', names: given.join(', '), until: '', why: '' }
  await visit.owner.act('app/_shared/access/actions.ts giveAccess', { to: 'role guest', ...work })
  await gwen.setViewportSize(phone)
  await gwen.goto(`${visit.gatehouse.url}/sites`)
  for (const domain of [...given, ...others]) await gwen.getByRole('checkbox', { name: `Select ${domain}` }).press('Space', patience)
  const dialog = gwen.getByRole('dialog', { name: 'Back up 3 sites' })
  await pressFor(gwen.getByRole('button', { name: 'Back up', exact: true }), dialog)
  const left = '3 of 5 sites: museum.example and theatre.example are left out, because your access does not include this there.'
  await waitToSee(dialog, left)
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await gwen.setViewportSize(phone)
  const before = countBackups()
  await dialog.getByRole('button', { name: 'Back up 3 sites' }).press('Enter')
  await gwen.waitForURL('**/jobs/batches/*', patience)
  await gwen.getByText('3 of 3 done.').waitFor({ timeout: 60_000 })
  const after = countBackups()
  expect([...after.keys()].filter((domain) => after.get(domain) !== before.get(domain)).sort()).toEqual(given)
  expect(await faultsInAllLooks(gwen)).toEqual([])
})

test('where only sites outside of the access are selected, the action says why it is not offered', async () => {
  await gwen.goto(`${visit.gatehouse.url}/sites`)
  for (const domain of others) await gwen.getByRole('checkbox', { name: `Select ${domain}` }).press('Space', patience)
  const why = 'Your role or access does not include this for any of the selected sites.'
  await pressFor(gwen.getByRole('button', { name: 'Back up', exact: true }), gwen.getByText(why, { exact: false }))
  expect(await gwen.getByRole('dialog').count()).toBe(0)
})
