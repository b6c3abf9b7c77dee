/** The samples of servers on their page: the strip, the lines, the table, and the forecast for the disk. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsInAllLooks } from '../support/page-faults'
import { runSql } from '../support/sqlite-file'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
const ids: Record<string, string> = {}

beforeAll(async () => {
  place = await makeStartedPlace({ SAMPLE_SECONDS: '2' })
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  const { page } = visitor
  await createAccount(page, gatehouse.setupLink ?? '')
  for (const name of ['harbour-01', 'flaky-beacon', 'not-installed']) ids[name] = await addSandbox(page, gatehouse.url, name)
  const toInstall = (name: string) => page.goto(`${gatehouse.url}/servers/${ids[name]}/install`)
  for (const name of ['harbour-01', 'flaky-beacon']) {
    await toInstall(name)
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await page.getByRole('progressbar').first().waitFor()
  }
  for (const name of ['harbour-01', 'flaky-beacon']) {
    await toInstall(name)
    await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  }
})
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await gatehouse.stop()
  place[Symbol.dispose]()
})

/** Inserts rows as `serverId, minutes ago, reachable, disk used` while the portal runs. */
async function keepSamples(rows: readonly (readonly [string, number, number, number])[]): Promise<void> {
  const now = Math.floor(Date.now() / 60_000)
  runSql(
    join(place.dir, 'data/portal/portal.db'),
    `INSERT OR REPLACE INTO "Sample" SELECT value->>0, ${now} - value->>1, value->>2, value->>3, 42949672960, 1e9, 2e9, NULL, NULL FROM json_each(?)`,
    [JSON.stringify(rows)],
  )
}

test('the strip shows by keyboard and by pointer when a server was reachable', async () => {
  const { page } = visitor
  const strip = page.getByRole('slider', { name: 'The last 24 hours' })
  const told = () => strip.getAttribute('aria-valuetext')
  // Every third check fails, and a failed one counts for its minute.
  await expect
    .poll(
      async () => {
        await page.goto(`${gatehouse.url}/servers/${ids['flaky-beacon']}`)
        return told()
      },
      { timeout: 60_000, interval: 2000 },
    )
    .toMatch(/^Unreachable for about (15|30) minutes of the last 24 hours$/)
  await strip.focus()
  await expect.poll(told).toMatch(/^\w{3} \d\d:\d\d to \d\d:\d\d: unreachable/)
  await page.keyboard.press('Home')
  await expect.poll(told).toMatch(/: not checked$/)
  await page.keyboard.press('ArrowRight')
  expect(await strip.getAttribute('aria-valuenow')).toBe('2')
  await page.keyboard.press('End')
  expect(await strip.getAttribute('aria-valuenow')).toBe('96')
  await page.keyboard.press('Tab')
  await expect.poll(told).toMatch(/^Unreachable for/)
  const box = await strip.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 5)
  await page.getByText(/\d\d:\d\d: not checked$/).waitFor()

  await page.goto(`${gatehouse.url}/servers/${ids['harbour-01']}`)
  expect(await told()).toMatch(/^Reachable at every check, the first less than (15|30) minutes ago$/)
  await page.goto(`${gatehouse.url}/servers/${ids['not-installed']}`)
  await page.getByText('This server is not installed yet.').waitFor()
  expect(await strip.count()).toBe(0)
})

test('lines and table show the range in the address, and the page says when a disk will be full', async () => {
  const { page } = visitor
  const id = ids['harbour-01'] ?? ''
  const gb = 1024 ** 3
  await keepSamples(
    Array.from(
      { length: 7 * 24 },
      (_, hours) => [id, hours * 60 + 7, hours % 50 === 20 ? 0 : 1, Math.round((32 - hours / 24) * gb)] as const,
    ),
  )
  await page.setViewportSize({ width: 1366, height: 900 })
  // Layout shifts are counted from the first paint on; the lines must fit into the space reserved for them.
  await page.addInitScript(`window.shifted = 0
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifted += value))).observe({ type: 'layout-shift', buffered: true })`)
  await page.goto(`${gatehouse.url}/servers/${id}`)
  await page.getByText('Disk will be full in about 8 days at the current rate.').waitFor()
  await page.getByRole('img', { name: /^Disk between .* of 40 GB$/ }).waitFor()
  await page.getByRole('img', { name: /^Memory between / }).waitFor()
  expect(await page.evaluate('window.shifted')).toBeLessThan(0.01)

  await page.getByRole('radio', { name: '24 hours' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL('**/servers/*?range=7d')
  await page.reload()
  await page.getByRole('radio', { name: '7 days', checked: true }).waitFor()
  await page.getByRole('img', { name: /^Disk between .* and 3\d(\.\d)? GB of 40 GB$/ }).waitFor()
  await page.getByText('Show as a table').click()
  const table = page.getByRole('region', { name: 'Usage as a table' })
  expect(await table.locator('tbody tr').count()).toBeGreaterThan(80)
  await table.getByText('1 of 2 checks').first().waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('if past samples cannot be read, the page says so, and the rest of it stays', async () => {
  const { page } = visitor
  await page.route('**/history?*', (route) => route.fulfill({ status: 500, body: 'no JSON' }))
  await page.goto(`${gatehouse.url}/servers/${ids['harbour-01']}`)
  await page.getByText('The usage of this server could not be read.').waitFor()
  await page.getByRole('heading', { name: 'System' }).waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img', { name: /^Disk between / }).waitFor()
  const answer = (query: string) => page.request.get(`${gatehouse.url}/api/servers/${ids['harbour-01']}/history${query}`)
  expect([(await answer('?range=1y')).status(), (await answer('?range=30d')).status(), (await answer('')).status()]).toEqual([
    422, 200, 200,
  ])
})
