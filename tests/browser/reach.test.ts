/** Who can do what: the table of a site, filtered and as a file, and what would be lost with a member, asked from the dialog that removes them. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { openMenu } from '../support/open-menu'
import { faultsInAllLooks } from '../support/page-faults'
import { lookInto } from '../support/portal-database'
import { readCsv } from '../support/read-csv'
import { waitToSee } from '../support/shown-text'
import { type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let visit: TeamVisit
let look: AsyncDisposable
let mira: Page
let gwen: Page

beforeAll(async () => {
  upstream = await startUpstream({ extensions: true })
  const server = upstream.addServer({ name: 'heron-1', state: 'ready' })
  upstream.addSite({ domain: 'shop.example', server })
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  look = lookInto(visit.place)
  mira = visit.page
  const fields = { label: 'Hosting', address: upstream.origin, apiKey: upstream.key, keeper: 'team' }
  await visit.owner.act('app/(portal)/keys/actions.ts addConnection', fields)
  gwen = (await visit.join('Gwen Okafor', 'guest', { viewport: { width: 390, height: 844 } })).page
  await visit.join('Odd Berg', 'operator')
  await mira.goto(`${visit.gatehouse.url}/sites`)
  await mira.getByText('shop.example').first().waitFor(patience)
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await look?.[Symbol.asyncDispose]()
  await visit?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

const patience = { timeout: 30_000 }
const rowsOf = (page: Page): Locator => page.getByRole('table', { name: 'Reach' }).getByRole('row')

test('from the access of a site, an owner sees who can do what there; a filter leaves one member, also in the file', async () => {
  await mira.getByRole('link', { name: 'shop.example' }).first().press('Enter')
  await mira.getByRole('link', { name: 'Access', exact: true }).press('Enter')
  await mira.getByRole('link', { name: 'Reach' }).press('Enter')
  await mira.getByRole('heading', { name: 'Who can reach shop.example' }).waitFor(patience)
  await waitToSee(rowsOf(mira).filter({ hasText: 'Odd Berg' }), 'Can do everything')
  await waitToSee(rowsOf(mira).filter({ hasText: 'Mira Lindqvist' }), /Access to all servers and sites/)
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.getByLabel('Text').fill('odd shop')
  await mira.getByLabel('Text').press('Enter')
  await expect.poll(() => rowsOf(mira).count(), patience).toBe(2)
  const downloading = mira.waitForEvent('download')
  await mira.getByRole('link', { name: 'Download CSV' }).press('Enter')
  const lines = readCsv(await readFile(await (await downloading).path(), 'utf8'))
  expect(lines.slice(1).map((line) => line.slice(0, 5))).toEqual([['Odd Berg', 'Operator', 'site', 'shop.example', 'do everything']])
})

test('the dialog that removes a member leads to what would be lost, and nothing is saved by asking', async () => {
  await mira.goto(`${visit.gatehouse.url}/team`)
  await openMenu(mira, 'Actions for Odd Berg', 'Remove member')
  await mira.getByRole('dialog').getByRole('link', { name: 'See what this changes' }).press('Enter')
  await mira.getByText('If Odd Berg is removed from the team: nothing is saved yet.').waitFor(patience)
  await waitToSee(rowsOf(mira).filter({ hasText: 'Odd Berg' }), '− Ends')
  expect(await faultsInAllLooks(mira)).toEqual([])
  await mira.getByLabel('Change', { exact: true }).selectOption('a member gets another role')
  await mira.getByLabel('New role').selectOption('Viewer')
  await mira.getByRole('button', { name: 'Show', exact: true }).press('Enter')
  await mira.getByText('If Odd Berg becomes Viewer: nothing is saved yet.').waitFor(patience)
  await waitToSee(rowsOf(mira).filter({ hasText: 'Viewer' }), '+ Begins')
  await waitToSee(rowsOf(mira).filter({ hasText: 'Viewer' }), 'Can view everything')
  expect(await db().membership.count({ where: { role: 'operator' } })).toBe(1)
})

test('at 390 px, access for a guest is tried out before it is given, and the guest sees only their own reach', async () => {
  await mira.setViewportSize({ width: 390, height: 844 })
  const { userId } = await db().membership.findFirstOrThrow({ where: { role: 'guest' } })
  const path = `${visit.gatehouse.url}/reach?of=member&id=${userId}`
  await mira.goto(path)
  await mira.getByText('Gwen Okafor cannot do anything on any server or site.').waitFor(patience)
  await mira.getByText('What if …').press('Enter')
  await mira.getByLabel('Change', { exact: true }).selectOption('access is added')
  await mira.getByLabel('What', { exact: true }).selectOption('Backup operator')
  await mira.getByLabel('Names').fill('shop.example')
  await mira.getByRole('button', { name: 'Show', exact: true }).press('Enter')
  await waitToSee(rowsOf(mira).filter({ hasText: 'Gwen Okafor' }), '+ Begins')
  await waitToSee(rowsOf(mira).filter({ hasText: 'Gwen Okafor' }), /view and change the backups/)
  expect(await faultsInAllLooks(mira)).toEqual([])
  await gwen.goto(path)
  await gwen.getByText('Gwen Okafor cannot do anything on any server or site.').waitFor(patience)
  expect(await gwen.getByText('What if …').count()).toBe(0)
  const { id } = await db().site.findFirstOrThrow()
  expect((await gwen.goto(`${visit.gatehouse.url}/reach?of=site&id=${id}`))?.status()).toBe(404)
})
