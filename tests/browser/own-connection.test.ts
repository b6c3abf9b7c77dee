/** A connection of one's own is frozen and thawed: by its owner, and by an admin, whose freezing only an admin takes back. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForBell } from '../support/bell'
import { faultsInAllLooks } from '../support/page-faults'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let ada: Page
let robin: Page

beforeAll(async () => {
  upstream = await startUpstream()
  upstream.addServer({ name: 'robins-server' })
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  ada = (await visit.join('Ada Byron', 'admin')).page
  const { page, person } = await visit.join('Robin Ekholm', 'operator')
  robin = page
  const fields = { label: 'Robin’s key', address: upstream.origin, apiKey: upstream.key, keeper: 'own' }
  await person.act('app/(portal)/keys/actions.ts addConnection', fields)
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

const rowOf = (page: Page, label = 'Robin’s key'): Locator => page.getByRole('row').filter({ hasText: label })

/** By keyboard, in the menu that has it where there is no room for the button. */
async function chooseInMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Robin’s key' }).press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

test('security 16: at 390 px by keyboard, an operator freezes and thaws their own connection, and not the team’s', async () => {
  await robin.setViewportSize({ width: 390, height: 844 })
  await robin.goto(`${visit.gatehouse.url}/keys`)
  await chooseInMenu(robin, 'Freeze')
  await robin.getByText('Robin’s key is frozen. Streams through it end within 5 seconds.').waitFor()
  await rowOf(robin)
    .getByText(/Frozen by Robin Ekholm/)
    .waitFor()
  await chooseInMenu(robin, 'Thaw')
  await robin.getByText('Robin’s key is used again.').waitFor()
  await rowOf(robin)
    .getByText(/Frozen by/)
    .waitFor({ state: 'detached' })
  await robin.getByRole('button', { name: 'Actions for Bundled service' }).press('Enter')
  await robin.getByRole('menu').waitFor()
  expect(await robin.getByRole('menuitem').allInnerTexts()).toEqual(['Activity'])
  await robin.keyboard.press('Escape')
  expect(await faultsInAllLooks(robin)).toEqual([])
})

test('security 16: what an admin freezes, its owner learns of and cannot thaw; the admin can', async () => {
  await ada.goto(`${visit.gatehouse.url}/keys`)
  await rowOf(ada).getByRole('cell', { name: 'Robin Ekholm', exact: true }).waitFor()
  await ada.getByRole('button', { name: 'Actions for Robin’s key' }).press('Enter')
  await ada.getByText('Only its owner can use or change it.').waitFor()
  await ada.keyboard.press('Escape')
  await rowOf(ada).getByRole('button', { name: 'Freeze' }).press('Enter')
  await ada.getByText('Robin’s key is frozen. Streams through it end within 5 seconds.').waitFor()
  expect(await faultsInAllLooks(ada)).toEqual([])
  await waitForBell(robin, /Ada Byron froze the connection “Robin’s key”\./)
  await rowOf(robin)
    .getByText(/Frozen by Ada Byron/)
    .waitFor()
  await rowOf(robin).getByRole('button', { name: 'Thaw' }).press('Enter')
  await robin.getByText('Someone else froze this connection. Ask a team owner or admin to thaw it.').waitFor()
  await rowOf(ada).getByRole('button', { name: 'Thaw' }).press('Enter')
  await ada.getByText('Robin’s key is used again.').waitFor()
  await waitForBell(robin, /Ada Byron thawed the connection “Robin’s key”\./)
  await rowOf(robin).getByRole('button', { name: 'Freeze' }).waitFor()
})
