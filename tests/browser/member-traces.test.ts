/** What a member keeps and made: the page of a member, of a former one, and what the audit log has about them. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let mira: Page
let robin: Page

beforeAll(async () => {
  upstream = await startUpstream()
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  mira = visit.page
  const { page, person } = await visit.join('Robin Ekholm', 'operator')
  robin = page
  // First, while there is only one connection to add it through.
  await person.addSandbox('harbour-01')
  const fields = { label: 'Robin’s key', address: upstream.origin, apiKey: upstream.key, keeper: 'own' }
  await person.act('app/(portal)/keys/actions.ts addConnection', fields)
  await visit.owner.invite('vera@northwind.test', 'viewer')
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

const connectionOf = (page: Page) => page.getByRole('table', { name: 'Connections of their own' }).getByRole('row').last()

test('the menu of a member leads to their connections and to what they made on servers; operators have no such page', async () => {
  await mira.goto(`${visit.gatehouse.url}/team`)
  await mira.getByRole('button', { name: 'Actions for Robin Ekholm' }).press('Enter')
  await mira.getByRole('menuitem', { name: 'Keys and traces' }).press('Enter')
  await mira.getByRole('heading', { name: 'Robin Ekholm' }).waitFor()
  await mira.getByText('robin.ekholm@northwind.test · Member').waitFor()
  expect(await connectionOf(mira).innerText()).toMatch(/Robin’s key\s+In use/)
  expect(await faultsInAllLooks(mira)).toEqual([])
  const answer = await robin.goto(mira.url())
  expect(answer?.status()).toBe(404)
  const made = mira.getByRole('table', { name: 'Made on servers' }).getByRole('row').filter({ hasText: 'SSH key of Gatehouse' })
  await made.getByRole('link', { name: 'harbour-01' }).press('Enter')
  await mira.waitForURL('**/servers/*/settings')
})

test('a former member is found on the page Team, with frozen connections, and everything they did in Activity', async () => {
  await mira.goto(`${visit.gatehouse.url}/team`)
  await mira.getByRole('button', { name: 'Actions for Robin Ekholm' }).press('Enter')
  await mira.getByRole('menuitem', { name: 'Remove member' }).press('Enter')
  await mira.getByRole('dialog').getByRole('button', { name: 'Remove member' }).press('Enter')
  await mira.getByText('Robin Ekholm was removed from the team. One connection of their own was frozen.').waitFor()
  await mira.waitForURL('**/team/*')
  await mira.goto(`${visit.gatehouse.url}/team`)
  const former = mira.getByRole('region', { name: 'Former members' })
  await former.getByRole('link', { name: 'Robin Ekholm' }).press('Enter')
  await mira.getByText('robin.ekholm@northwind.test · No longer a member').waitFor()
  expect(await connectionOf(mira).innerText()).toMatch(/Robin’s key\s+Frozen/)
  await mira.getByRole('link', { name: 'Show activity' }).press('Enter')
  await mira.waitForURL('**/activity?person=*')
  const chosen = mira.getByLabel('Person')
  expect(await chosen.locator('option:checked').textContent()).toBe('Robin Ekholm (former member)')
  const told = await mira.getByRole('main').innerText()
  expect(told).toMatch(/Added a connection: Robin’s key[\s\S]*Accepted the invitation of robin\.ekholm@northwind\.test as Operator/)
  expect(told).toMatch(/Removed robin\.ekholm@northwind\.test from the team/)
  expect(told).not.toContain('vera@northwind.test')
  expect(await faultsInAllLooks(mira)).toEqual([])
  await chosen.selectOption('Everyone')
  await mira.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  await mira.getByText(/Invited vera@northwind\.test as Viewer/).waitFor()
  await chosen.selectOption('Robin Ekholm (former member)')
  await mira.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  await mira.waitForURL('**/activity?person=*')
  await expect.poll(() => mira.getByText(/vera@northwind\.test/).count()).toBe(0)
})
