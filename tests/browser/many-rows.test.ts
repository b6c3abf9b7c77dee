/** Pages of access of a team with many members: how many there are, a search that outlives a reload, and no tower of words in Reach. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullColumns } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { faultsInAllLooks } from '../support/page-faults'
import { lookInto } from '../support/portal-database'
import { waitToSee } from '../support/shown-text'
import { type TeamVisit, visitTeam } from '../support/team-visit'

let visit: TeamVisit
let page: Page
let owner: string

const count = 40

beforeAll(async () => {
  visit = await visitTeam()
  page = visit.page
  await using _ = lookInto(visit.place)
  const { teamId, userId } = await db().membership.findFirstOrThrow()
  owner = userId
  for (let index = 0; index < count; index += 1) {
    const name = `Wolfeschlegelsteinhausenbergerdorff ${index}`
    const grants = {
      create: { id: createOpaqueId(), ...fullColumns, validFrom: new Date(), scopes: { create: { kind: 'everything' as const } } },
    }
    const memberships = { create: { teamId, role: index % 2 ? ('viewer' as const) : ('operator' as const), grants } }
    await db().user.create({ data: { id: createOpaqueId(), email: `member-${index}@northwind.test`, name, memberships } })
  }
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
})

const at = (path: string): string => `${visit.gatehouse.url}${path}`
const rowsOf = (table: string): Locator => page.getByRole('table', { name: table }).locator('tbody tr[data-index]')

test('the page Team says how many members there are, and a search for some of them is kept by a reload', async () => {
  await page.goto(at('/team'))
  await waitToSee(page.getByRole('region', { name: 'Members' }), String(count + 1))
  const field = page.getByRole('searchbox', { name: 'Filter members' })
  // What is typed before the page reacts is lost.
  await expect.poll(async () => field.fill('VIEWER dorff 7').then(() => page.getByText(`4 of ${count + 1}`).count())).toBe(1)
  await expect.poll(() => rowsOf('Members').count()).toBe(4)
  await page.waitForURL('**/team?q=VIEWER+dorff+7')
  await page.reload()
  await expect.poll(() => rowsOf('Members').count()).toBe(4)
  await waitToSee(page.getByRole('status').filter({ hasText: ' of ' }), `4 of ${count + 1}`)
  expect(await faultsInAllLooks(page)).toEqual([])
  await field.fill('nobody has this name')
  await page.getByText('No row matches this search.').waitFor()
})

test('at 1100 px, what Reach cannot show in columns has room below the member', async () => {
  await page.setViewportSize({ width: 1100, height: 900 })
  await using _ = lookInto(visit.place)
  const { id } = await db().connection.findFirstOrThrow()
  await page.goto(at(`/reach?of=connection&id=${id}`))
  // Viewers can do nothing with a connection that lists no servers.
  await waitToSee(page.getByRole('region', { name: 'Reach' }), String(count / 2 + 1))
  const first = rowsOf('Reach').first()
  await first.getByText('Access to all servers and sites', { exact: false }).first().waitFor()
  const { width = 0, height = 0 } = (await first.locator('td[data-main]').boundingBox()) ?? {}
  expect(width).toBeGreaterThanOrEqual(200)
  expect(height).toBeLessThan(130)
  await page.goto(at(`/reach?of=member&id=${owner}`))
  await page.getByRole('heading', { name: 'Reach of Mira Lindqvist' }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
})
