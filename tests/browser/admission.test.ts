/** The form shows what adding a server changes on it, before anything is sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admissionChangesOf, admissionEnd } from '@/lib/contract/admission'
import { openChromium } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsOf } from '../support/page-faults'

let place: Place
let gatehouse: Gatehouse
beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
})
afterAll(async () => {
  await gatehouse.stop()
  place[Symbol.dispose]()
})

test('the Add server form shows the SSH key for root, the exact sudo rule for another user, and nothing for a sandbox', async () => {
  await using visitor = await openChromium()
  const { page } = visitor
  await createAccount(page, gatehouse.setupLink ?? '')
  await page.goto(`${gatehouse.url}/servers/new`)
  const told = page.getByText('What Gatehouse sets up on this server')
  await told.click()
  const [key] = admissionChangesOf('root')
  await page.getByText(key?.description ?? '').waitFor()
  expect(await page.getByText('NOPASSWD').count()).toBe(0)
  await page.getByLabel('User').fill('robin')
  for (const { file, description, line } of admissionChangesOf('robin')) {
    await page.getByText(file, { exact: true }).waitFor()
    await page.getByText(description).waitFor()
    if (line !== null) await page.getByText(line, { exact: true }).waitFor()
  }
  await page.getByText(admissionEnd).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await faultsOf(page)).toEqual([])
  await page.getByText('Sandbox', { exact: true }).first().click()
  await expect.poll(() => told.count()).toBe(0)
})
