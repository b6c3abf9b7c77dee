/** Takes the README's pictures anew: a Gatehouse in a temporary place, simulated servers, a real browser in both themes. */
import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openChromium } from '../tests/support/chromium'
import { addSandbox, createAccount } from '../tests/support/first-steps'
import { makePlace, startGatehouse } from '../tests/support/gatehouse-process'

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
await page.getByRole('link', { name: 'See the server' }).click()
await page.getByText('Apache', { exact: false }).first().waitFor()
await page.waitForLoadState('networkidle')
await page.getByText('1 running').waitFor({ state: 'hidden' })
await take(page, 'overview')
await install(page, url, 'web-fra-02')
await progressAtLeast(page, 20)
await page.goto(`${url}/servers`)
await page.getByRole('link', { name: 'web-fra-02' }).waitFor()
await take(page, 'servers')
