/** Freezing in a real browser: one click, the install continues on the server, and is followed again after the thaw. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsOf } from '../support/page-faults'

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
  await visitor[Symbol.asyncDispose]()
  await gatehouse.stop()
  place[Symbol.dispose]()
})

test('security 16: frozen during an install, the stream ends within 5 s and says so; thawed, the install is followed to its end', async () => {
  const { page } = visitor
  await addSandbox(page, gatehouse.url, 'harbour-01')
  await page
    .getByRole('button', { name: /^Install/ })
    .first()
    .click()
  await page.getByRole('button', { name: /Stop following/ }).waitFor()
  const keys = await visitor.context.newPage()
  await keys.goto(`${gatehouse.url}/keys`)
  const row = keys.getByRole('row').filter({ hasText: 'Bundled service' })
  await row.getByRole('button', { name: 'Freeze' }).press('Enter')
  // Nothing is left for the team without it, so the page asks first.
  const question = keys.getByRole('dialog', { name: 'Freeze Bundled service?' })
  await question.getByText(/the team’s last connection.*1 server and 1 running job/).waitFor()
  await question.getByRole('button', { name: 'Freeze' }).click()
  await keys.getByText('Bundled service is frozen. Streams through it end within 5 seconds.').waitFor()
  await page.getByText('Followed no more, still running on the server.').first().waitFor({ timeout: 5_000 })
  await row.getByText(/Frozen by Mira Lindqvist/).waitFor()
  expect(await faultsOf(keys)).toEqual([])
  await keys.setViewportSize({ width: 390, height: 844 })
  expect(await faultsOf(keys)).toEqual([])
  // Without room for the button, the menu has it.
  await row.getByRole('button', { name: 'Actions for Bundled service' }).click()
  await keys.getByRole('menuitem', { name: 'Thaw' }).click()
  await keys.getByText('Bundled service is used again.').waitFor()
  await expect.poll(() => page.getByText('Followed no more, still running on the server.').count(), { timeout: 10_000 }).toBe(0)
  expect(visitor.complaints).toEqual([])
})
