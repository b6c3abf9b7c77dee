/** The list of servers at every width, with a few rows and with a thousand: each column is readable, and nothing covers the bulk bar. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { makeStartedPlace, startGatehouse } from '../support/gatehouse-process'
import { columnsOf, findTableFaults, proveReadable, widths } from '../support/table-faults'

const place = await makeStartedPlace()
const gatehouse = await startGatehouse(place)
const visitor = await openChromium()
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await gatehouse[Symbol.asyncDispose]()
  place[Symbol.dispose]()
})

const { page } = visitor
async function openList(count: string): Promise<void> {
  await page.goto(`${gatehouse.url}/servers`)
  await page.locator('main button:not([disabled])', { hasText: 'CSV' }).waitFor()
  await page.locator('main p[role=status]', { hasText: count }).first().waitFor()
}

test('every column is readable at every width, with four rows and with a thousand', async () => {
  await createAccount(page, gatehouse.setupLink ?? '')
  for (const name of ['harbour-01', 'a-name-that-is-longer-than-most-of-them-ams-02', 'db-03', 'web-04'])
    await addSandbox(page, gatehouse.url, name)
  await openList('4 servers')
  const few = await proveReadable(page)
  await promisify(execFile)('npm', ['run', '-s', 'sandbox:fill', '--', '996'], { env: { ...process.env, ...place.env } })
  await expect.poll(() => openList('1,000 servers').then(() => true), { timeout: 60_000 }).toBe(true)
  const many = await proveReadable(page)
  expect([few[320], many[320]]).toEqual([['name'], ['name']])
  // Columns appear once any server has something to show in them.
  expect(few[1920]).toEqual(['state', 'name', 'address'])
  expect(many[1920]).toEqual(['state', 'name', 'hostname', 'address', 'day'])
})

test('the first paint from the server has the same columns, before any script runs', async () => {
  const columns = await proveReadable(page)
  const context = await visitor.browser.newContext({ javaScriptEnabled: false, storageState: await visitor.context.storageState() })
  const silent = await context.newPage()
  for (const width of widths) {
    await silent.setViewportSize({ width, height: 860 })
    await silent.goto(`${gatehouse.url}/servers`)
    expect([width, await columnsOf(silent)]).toEqual([width, columns[width]])
    expect([width, await findTableFaults(silent)]).toEqual([width, []])
  }
  await context.close()
})

test('no toast covers the bulk bar, wherever the page is scrolled', async () => {
  const bar = page.getByRole('region', { name: 'Selected servers' })
  const toasts = page.locator('[data-sonner-toast]')
  for (const width of [390, 1366]) {
    for (const filter of ['', '?q=harbour']) {
      await page.setViewportSize({ width, height: 860 })
      await page.goto(`${gatehouse.url}/servers${filter}`)
      await page.locator('main button:not([disabled])', { hasText: 'CSV' }).waitFor()
      await page.getByLabel('Select all that are shown').check()
      await bar.getByRole('button', { name: 'Copy' }).click()
      await page.getByRole('menuitem', { name: 'Copy names' }).click()
      await toasts.first().waitFor()
      await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
      for (const scroll of [0, 100_000]) {
        await page.evaluate(`scrollTo(0, ${scroll})`)
        const [below, above] = [await bar.boundingBox(), await toasts.first().boundingBox()]
        if (!below || !above) throw new Error('The bar or the toast is gone.')
        expect(above.y + above.height, `${width} ${filter} ${scroll}`).toBeLessThanOrEqual(below.y)
        expect(below.y + below.height).toBeLessThanOrEqual(860)
      }
    }
  }
  expect(visitor.complaints).toEqual([])
})
