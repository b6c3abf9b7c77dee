/** The shortest journey that touches every part of the product: the only browser test of `npm test -- --quick`. */
import { expect, test } from 'vitest'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount, owner } from '../support/first-steps'
import { makePlace, startGatehouse } from '../support/gatehouse-process'

test('set-up link, sandbox server, live install, a cron job saved and undone, sign-out', async () => {
  using place = await makePlace()
  await using gatehouse = await startGatehouse(place)
  await using visitor = await openChromium()
  const { page, complaints } = visitor
  await createAccount(page, gatehouse.setupLink ?? '')
  const id = await addSandbox(page, gatehouse.url, 'harbour-01')

  await page.getByRole('button', { name: 'Install', exact: true }).click()
  const progress = page.getByRole('progressbar').first()
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow')), { timeout: 60_000 }).toBeGreaterThan(5)
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'View server' }).click()
  await page.getByText('Reachable', { exact: true }).first().waitFor()

  await page.goto(`${gatehouse.url}/servers/${id}/cron`)
  await page.getByRole('heading', { name: 'No cron jobs yet' }).waitFor()
  await page.getByRole('button', { name: 'Add job' }).click()
  await page.getByRole('dialog').getByLabel('Command').fill('/usr/local/bin/nightly')
  await page.getByRole('dialog').getByRole('button', { name: 'Add job' }).click()
  await page.getByText('The job was saved.').waitFor()
  expect(await page.getByRole('table', { name: 'Cron jobs' }).innerText()).toContain('/usr/local/bin/nightly')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'No cron jobs yet' }).waitFor()

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText(owner.email).waitFor()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in*')
  expect((await page.request.get(`${gatehouse.url}/api/servers`)).status()).toBe(401)
  expect(complaints).toEqual([])
})
