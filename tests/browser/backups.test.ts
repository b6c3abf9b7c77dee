/** Backups that failed or are partial: the page shows the reason next to the kept backups, and the overview links to it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsInAllLooks } from '../support/page-faults'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '')
})
afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.[Symbol.asyncDispose]()
  place?.[Symbol.dispose]()
})

/** Resolves with the server's page in the portal. */
async function installSandbox(name: string): Promise<string> {
  const { page } = visitor
  const id = await addSandbox(page, gatehouse.url, name)
  await page.getByRole('button', { name: 'Install' }).click()
  const ended = page.getByText('is installed.').or(page.getByRole('button', { name: 'Try again' }))
  await ended.first().waitFor({ timeout: 60_000 })
  const again = page.getByRole('button', { name: 'Try again' })
  if (await again.isVisible()) {
    await again.click()
    await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  }
  return `${gatehouse.url}/servers/${id}`
}

test('a backup that lacks a database is partial, and names the database and the reason', async () => {
  const { page } = visitor
  const url = await installSandbox('flaky-01')
  await page.goto(`${url}/backups`)
  await page.getByText('The last backup is partial').waitFor()
  await page.getByText('Missing: shop.', { exact: true }).waitFor()
  const newest = page.getByRole('table', { name: 'Backups' }).locator('tbody tr').first()
  expect(await newest.innerText()).toMatch(/shop: It could not be dumped whole: .*View 'shop.totals' references/s)
  expect(await newest.innerText()).toContain('/srv/media: Left out')
  await newest.getByText('Partial').filter({ visible: true }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
})

test('the page shows why a backup failed, and the overview links to it', async () => {
  const { page } = visitor
  const url = await installSandbox('fail-01')
  await page.goto(url)
  await page.getByRole('link', { name: 'View backups' }).click()
  await page.waitForURL(`${url}/backups`)
  await page.getByText(/^The last backup failed/).waitFor()
  await page.getByText('There is not enough room in /var/backups/gatehouse: 193.4 MB is free').waitFor()
  await page.getByText(/^The last good backup was created/).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})
