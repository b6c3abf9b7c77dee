/** Takes the README's pictures again: a Gatehouse in a temporary place, simulated servers, a real browser in both themes. */
import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openChromium } from '../tests/support/chromium'
import { addSandbox, createAccount } from '../tests/support/first-steps'
import { makePlace, startGatehouse } from '../tests/support/gatehouse-process'
import { query } from '../tests/support/place-database'

const folder = fileURLToPath(new URL('pictures/', import.meta.url))
const size = { width: 1366, height: 860 }
const largestBytes = 200_000

/** One picture in each theme: NAME.png and NAME-dark.png. Throws when one is too heavy for a page that people open first. */
async function take(page: Page, name: string): Promise<void> {
  for (const [colorScheme, suffix] of [
    ['light', ''],
    ['dark', '-dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForTimeout(150)
    const path = `${folder}${name}${suffix}.png`
    await page.screenshot({ path, animations: 'disabled' })
    if (statSync(path).size > largestBytes) throw new Error(`${path} is larger than ${largestBytes} bytes.`)
  }
}

async function install(page: Page, url: string, name: string): Promise<void> {
  await addSandbox(page, url, name)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
}

const installed = (page: Page) => page.getByText('is installed.').waitFor({ timeout: 60_000 })

async function progressAtLeast(page: Page, percent: number): Promise<void> {
  const bar = page.getByRole('progressbar').first()
  while (Number(await bar.getAttribute('aria-valuenow')) < percent) await page.waitForTimeout(50)
}

/** The day of a simulated server, as if the portal had looked at it each quarter of an hour: there is no time to wait for it. */
const simulatedDay = (name: string) => `
  WITH RECURSIVE look(ago) AS (SELECT 5 UNION ALL SELECT ago + 15 FROM look WHERE ago < 1425)
  INSERT OR REPLACE INTO "Sample" ("serverId", "at", "reachable", "diskUsed", "diskTotal", "memUsed", "memTotal")
  SELECT "id", ${Math.floor(Date.now() / 60_000)} - ago, ago NOT BETWEEN 600 AND 620,
    2100000000 - ago * 120000, 42949672960, 330000000 + 125000 * abs(ago - 720) + 4000000 * (ago % 7), 2147483648
  FROM "Server", look WHERE "name" = '${name}'`

mkdirSync(folder, { recursive: true })
using place = await makePlace()
await using gatehouse = await startGatehouse(place)
await using visitor = await openChromium({ viewport: size })
const { page } = visitor
const { url } = gatehouse
await createAccount(page, gatehouse.setupLink ?? '')
for (const name of ['db-ams-01', 'mail-fra-01']) {
  await install(page, url, name)
  await installed(page)
}
await addSandbox(page, url, 'staging-hel-01')
await install(page, url, 'web-fra-01')
await progressAtLeast(page, 50)
await take(page, 'install')
await installed(page)
await page.getByRole('link', { name: 'View server' }).click()
await page.getByText('Usage').waitFor()
await query(place, 'portal', simulatedDay('web-fra-01'))
await page.reload()
await page.getByText('Apache', { exact: false }).first().waitFor()
await page.getByRole('img', { name: /^Memory between / }).waitFor()
await page.getByText('1 running').waitFor({ state: 'hidden' })
await take(page, 'overview')
await install(page, url, 'web-fra-02')
await progressAtLeast(page, 20)
await page.goto(`${url}/servers`)
await page.getByRole('link', { name: 'web-fra-02' }).waitFor()
await take(page, 'servers')
