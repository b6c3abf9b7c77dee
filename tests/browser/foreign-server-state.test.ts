/** A service that does not respond, and a server that is down: what the list, the server's pages and Home show. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks } from '../support/page-faults'

let visit: ForeignVisit
let page: Page
let origin: string
beforeAll(async () => {
  visit = await visitForeign()
  page = visit.page
  origin = new URL(visit.url).origin
})
afterAll(() => visit[Symbol.asyncDispose]())

/** The state next to the server's name, on each of its pages and in the list. */
async function stateOn(path: string): Promise<string> {
  await page.goto(path === 'list' ? `${origin}/servers` : `${visit.url}${path}`)
  const chip =
    path === 'list' ? page.locator('tr[data-index] td:nth-child(2)') : page.locator('main .rounded-chip', { hasText: /\w/ }).first()
  await expect.poll(() => chip.innerText()).not.toMatch(/Checking/)
  return chip.innerText()
}

test('a server that is down is unreachable on every page and on Home; if its service does not respond, it is unknown', async () => {
  // Every read of a server that is down fails; if its cron jobs could be read, it would be reachable.
  for (const read of ['summary', 'cronjobs']) visit.upstream.set('host-unreachable', { path: `${visit.path}/${read}` })
  expect(await stateOn('')).toBe('Unreachable')
  for (const path of ['list', '/settings', '/cron']) expect(await stateOn(path), path).toBe('Unreachable')
  await page.goto(origin)
  const line = page.locator('li', { hasText: 'foreign-01' })
  await line.getByText('Unreachable', { exact: true }).waitFor()
  await line.getByText(/First seen/).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await line.getByRole('link', { name: /View server/ }).click()
  await page.waitForURL(visit.url)

  visit.upstream.clear()
  visit.upstream.set('reset-before')
  for (const path of ['', 'list', '/settings', '/cron']) await expect.poll(() => stateOn(path), { timeout: 30_000 }).toMatch(/^Unknown/)
  await page.goto(`${origin}/servers`)
  await page.getByText(/The response of the service was cut off/).waitFor()
  expect(await page.getByText(/The response of the service was cut off/).count()).toBe(1)
  await page.goto(origin)
  await page.getByText('No answer', { exact: true }).waitFor()
  expect(await page.getByText('Unreachable', { exact: true }).count()).toBe(0)

  visit.upstream.clear()
  await page.goto(visit.url)
  await page.getByText('Reachable', { exact: true }).waitFor({ timeout: 30_000 })
  for (const path of ['list', '/settings', '/cron']) await expect.poll(() => stateOn(path), { timeout: 30_000 }).toBe('Listed')
})
