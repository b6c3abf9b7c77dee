/** What pages show of a server's state while the session, the network, the portal or the service fails, and afterwards. */
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addSandbox, owner } from '../support/first-steps'
import { faultsInAllLooks } from '../support/page-faults'
import { findProcess } from '../support/place-processes'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'
import { runSql } from '../support/sqlite-file'

let visit: SandboxVisit
let page: Page
let url: string
let freshId: string

beforeAll(async () => {
  // A service that hangs is detected early, so that the test does not wait the usual half minute.
  visit = await visitSandbox('harbour-01', { READ_SECONDS: '10' })
  page = visit.page
  url = visit.gatehouse.url
  await addSandbox(page, url, 'waiting-02')
  // Its own page is not opened before, because that is a check already.
  freshId = await addSandbox(page, url, 'fresh-03')
  for (const id of [freshId, visit.id]) {
    await page.goto(`${url}/servers/${id}/install`)
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  }
})
afterEach(() => visit.visitor.context.setOffline(false))
afterAll(() => visit[Symbol.asyncDispose]())

const chips = () => page.locator('tr[data-index] td:nth-child(2)').allInnerTexts()
const known = ['Reachable', 'Reachable', 'Not installed']
const unknown = known.map(() => expect.stringMatching(/^Unknown\s*·\s*last seen (just now|\d+ min ago)$/))

/** Every message about a problem, wherever it is on the page. */
const notices = async () => {
  const words = 'offline|session has ended|is unreachable.|did not answer|n’t respond|Sign in again'
  const texts = await page.locator('[role=status] p, main p').allInnerTexts()
  return texts.filter((text) => new RegExp(words).test(text))
}

async function openList(): Promise<void> {
  await page.goto(`${url}/servers`)
  await expect.poll(chips).toEqual(known)
}

test('a server’s page shows the figures of the check that ended its installation, and without any says when the first will arrive', async () => {
  const address = `${url}/servers/${freshId}`
  await page.goto(address)
  await page.getByText('Reachable', { exact: true }).waitFor()
  await page.getByRole('img', { name: /^Disk between/ }).waitFor({ timeout: 30_000 })
  await expect
    .poll(() => page.getByRole('slider', { name: 'The last 24 hours' }).getAttribute('aria-valuetext'))
    .toMatch(/^Reachable at every check, the first less than (15|30) minutes ago$/)
  expect(await page.getByText('First figures').count()).toBe(0)

  // As of a server that somebody else installed.
  runSql(join(visit.place.dir, 'data/portal/portal.db'), 'DELETE FROM "Sample" WHERE "serverId" = ?', [freshId])
  const first = await (await page.request.get(address)).text()
  expect(first).toContain('First figures in about 60 minutes')
  expect(first).not.toMatch(/Not checked|No check|Reachable at every/)
})

test('offline: every server is unknown, one notice says why, and everything is as before once the browser is online', async () => {
  await openList()
  await visit.visitor.context.setOffline(true)
  await expect.poll(chips).toEqual(unknown)
  expect(await notices()).toHaveLength(1)
  expect(await faultsInAllLooks(page)).toEqual([])
  await visit.visitor.context.setOffline(false)
  await expect.poll(chips).toEqual(known)
  expect(await notices()).toEqual([])
  for (const path of ['', '/cron', '/settings']) {
    await page.goto(`${url}/servers/${visit.id}${path}`)
    await page.getByText('Reachable', { exact: true }).first().waitFor()
    await visit.visitor.context.setOffline(true)
    await page.getByText(/^Unknown/).waitFor()
    expect(await notices(), path).toHaveLength(1)
    await visit.visitor.context.setOffline(false)
    await page.getByText(/^Unknown/).waitFor({ state: 'detached' })
  }
})

test('an answer that was on its way when the browser went offline does not bring the page back online', async () => {
  await openList()
  const held: Route[] = []
  await page.route('**/api/**', (route) => void held.push(route))
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const [first] = held
  if (!first) throw new Error('Nothing was read.')
  const response = await first.fetch()
  await visit.visitor.context.setOffline(true)
  await expect.poll(chips).toEqual(unknown)
  const notice = await page.getByText('You are offline.').elementHandle()
  const answered = page.waitForEvent('requestfinished', (request) => request === first.request())
  await first.fulfill({ response })
  await answered
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.waitForTimeout(200)
  // Another element would mean that it was gone for a moment.
  expect(await notice?.evaluate((element) => element.isConnected)).toBe(true)
  expect(await chips()).toEqual(unknown)
  await visit.visitor.context.setOffline(false)
  await expect.poll(chips).toEqual(known)
})

test('a session that ends: every server is unknown under one notice, which disappears after signing in again', async () => {
  await openList()
  runSql(join(visit.place.dir, 'data/portal/portal.db'), 'UPDATE "Session" SET "revokedAt" = "createdAt"')
  await expect.poll(chips, { timeout: 30_000 }).toEqual(unknown)
  expect(await notices()).toHaveLength(1)
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/servers')
  await expect.poll(chips).toEqual(known)
  expect(await notices()).toEqual([])
})

/** What the list, the server's page and Home show while a process of Gatehouse is stopped, and afterwards. */
async function proveHang(pid: number, said: RegExp): Promise<void> {
  await openList()
  process.kill(pid, 'SIGSTOP')
  try {
    await expect.poll(chips, { timeout: 90_000 }).toEqual(unknown)
    expect((await notices()).filter((text) => said.test(text))).toHaveLength(1)
    expect(await page.getByText('Unreachable', { exact: true }).count()).toBe(0)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await expect.poll(chips, { timeout: 60_000 }).toEqual(known)
  expect(await notices()).toEqual([])
}

test('an unresponsive portal makes no server unreachable', () =>
  proveHang(findProcess(visit.place, 'portal-main'), /Gatehouse is unreachable/))

test('an unresponsive service makes no server unreachable', () => proveHang(findProcess(visit.place, 'service-main'), /didn’t respond/))
