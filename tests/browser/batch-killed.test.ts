/** Many backups that somebody starts in a browser and leaves: the portal is killed twice meanwhile, and each site gets one outcome and one backup. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { register } from '../service/conformance/servers'
import { get, readInstall } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { createSite } from '../service/support/slow-work'
import { openChromium } from '../support/chromium'
import { type Gatehouse, makePlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { query } from '../support/place-database'
import { findProcess } from '../support/place-processes'
import { setUpQuickly } from '../support/quick-set-up'

const patience = { timeout: 60_000 }

// Eight servers, because a batch has at most eight targets at a time, each on another server.
const [servers, sites] = [8, 200]

/** The bundled service with sandbox servers and sites on them, ten times as fast as usual. */
async function openServiceWithSites(): Promise<TestService> {
  const service = await openTestService({ sandboxPaceMs: 16 })
  const fill = async (number: number): Promise<void> => {
    const login = { provider: 'sandbox', host: `many-${number}.test`, port: '22', user: 'root', pass: 'let me in, please' }
    const { id } = await register(service, login, `many-${number}`)
    await readInstall(service, id)
    for (let site = number; site < sites; site += servers) {
      const { status } = await createSite(service, { domain: `site-${site}.example`, server: id, password: 'a quiet harbour' })
      expect(status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: servers }, (_, number) => fill(number)))
  return service
}

/** Kills the portal's own process, which then cannot finish anything, and starts Gatehouse again. */
async function killAndStart(place: Place, gatehouse: Gatehouse): Promise<Gatehouse> {
  process.kill(findProcess(place, 'portal-main'), 'SIGKILL')
  await gatehouse.stop()
  return startGatehouse(place)
}

async function countEnded(place: Place): Promise<number> {
  const [row] = await query(place, 'portal', 'SELECT count(*) AS ended FROM "BatchTarget" WHERE "endedAt" IS NOT NULL')
  return Number(row?.ended)
}

/** Selects all sites, and confirms their backup. Returns the address of the batch. */
async function startBackups(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/sites`)
  await page.getByText(`${sites} sites`, { exact: true }).first().waitFor(patience)
  // The page has all of them, not only the first.
  await page.locator('main button:not([disabled])', { hasText: 'CSV' }).waitFor(patience)
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
  const bar = page.getByRole('region', { name: 'Selected sites' })
  await bar.getByText(`${sites} sites selected`).waitFor(patience)
  await bar.getByRole('button', { name: 'Back up' }).click()
  const dialog = page.getByRole('dialog', { name: `Back up ${sites} sites` })
  await dialog.getByLabel('Servers at a time').selectOption(String(servers))
  await dialog.getByRole('button', { name: `Back up ${sites} sites` }).click()
  await page.waitForURL(/\/jobs\/batches\/[^/]+$/)
  return page.url()
}

/** The lines of the batch as the page shows them. Only those near the window are rendered, so it is scrolled until all were seen. */
async function readLines(page: Page): Promise<{ name: string; state: string }[]> {
  const lines = new Map<string, { name: string; state: string }>()
  const read = async () => {
    for (const row of await page.locator('tbody tr[data-index]').all()) {
      const [index, texts] = await Promise.all([row.getAttribute('data-index'), row.locator('td').allInnerTexts()])
      lines.set(index ?? '', { state: texts[0] ?? '', name: texts[1] ?? '' })
    }
    await page.evaluate('innerHeight + scrollY + 2 > document.body.scrollHeight ? scrollTo(0, 0) : scrollBy(0, 600)')
    return lines.size
  }
  await expect.poll(read, patience).toBe(sites)
  return [...lines.values()]
}

async function countBackups(service: TestService): Promise<Map<string, number>> {
  const { body } = await get(service, '/sites')
  const counts = (body.items as { id: string; domain: string }[]).map(async ({ id, domain }) => {
    const { body: listed } = await get(service, `/sites/${id}/backups`)
    return [domain, (listed.items as { reason: string }[]).filter(({ reason }) => reason === 'manual').length] as const
  })
  return new Map(await Promise.all(counts))
}

test('200 backups are started, the page is closed, the portal is killed twice: 200 outcomes, and no backup is made twice', async () => {
  await using service = await openServiceWithSites()
  using place = await makePlace({ UPSTREAM_URL: service.baseUrl, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  await using first = await startGatehouse(place)
  await using visitor = await openChromium()
  await setUpQuickly(visitor.page, place, first, service.key)
  const address = await startBackups(visitor.page, first.url)
  await visitor.page.close()

  await expect.poll(() => countEnded(place), patience).toBeGreaterThan(sites / 4)
  await using second = await killAndStart(place, first)
  await expect.poll(() => countEnded(place), patience).toBeGreaterThan(sites / 2)
  await using _third = await killAndStart(place, second)
  expect(await countEnded(place)).toBeLessThan(sites)

  const page = await visitor.context.newPage()
  await page.goto(address)
  await page.getByRole('heading', { name: `Back up ${sites} sites` }).waitFor(patience)
  // Its targets have outcomes before the batch has one.
  await page
    .locator('main')
    .getByRole('status')
    .filter({ hasText: /^\d+ of 200 done(, \d+ failed)?\.$/ })
    .waitFor(patience)
  const lines = await readLines(page)
  const done = lines.filter(({ state }) => state === 'Done')
  const failed = lines.filter(({ state }) => state === 'Failed')
  const counts = [`${done.length} of ${sites} done`, ...(failed.length > 0 ? [`${failed.length} failed`] : [])]
  expect(await page.locator('main').getByRole('status').first().innerText()).toBe(`${counts.join(', ')}.`)
  expect([new Set(lines.map(({ name }) => name)).size, done.length + failed.length]).toEqual([sites, sites])
  // A target fails if the portal was killed between the row of its job and the request, and then nothing was done.
  expect(failed.length).toBeLessThanOrEqual(2 * servers)
  const expected = lines.map(({ name, state }) => [name, state === 'Done' ? 1 : 0] as const)
  expect(await countBackups(service)).toEqual(new Map(expected))
  expect(visitor.complaints).toEqual([])
})
