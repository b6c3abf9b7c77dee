/** A reboot in the browser: from the menu and from the palette, shown while it lasts, and logged with the user's name. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'

let visit: SandboxVisit
beforeAll(async () => {
  visit = await visitSandbox('harbour-01')
})
afterAll(() => visit[Symbol.asyncDispose]())

test('a reboot is confirmed by the server’s name, shown as rebooting until it answers again, and logged', async () => {
  const { page, gatehouse } = visit
  const shown = (text: string) => page.locator('main header').getByText(text, { exact: true }).first()
  const state = page.locator('main').getByText('Rebooting…', { exact: true }).first()
  await page.getByText('Reachable', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Reboot server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reboot server' })
  const button = dialog.getByRole('button', { name: 'Reboot server' })
  expect(await button.isDisabled()).toBe(true)
  await dialog.getByLabel('Type harbour-01 to confirm').fill('harbour-01')
  await button.click()
  await state.waitFor()
  expect(await page.getByText('Unreachable', { exact: true }).count()).toBe(0)
  expect(await page.getByText('didn’t respond').count()).toBe(0)
  await page.getByText('Reachable', { exact: true }).first().waitFor({ timeout: 90_000 })
  expect(await shown('Rebooting…').count()).toBe(0)
  await page.goto(`${gatehouse.url}/activity`)
  await page.getByText('Rebooted the server').first().waitFor()
})

test('the palette opens the same confirmation', async () => {
  const { page, gatehouse, id } = visit
  await page.goto(`${gatehouse.url}/servers/${id}`)
  await page.getByText('Reachable', { exact: true }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('reboot harbour')
  await page.getByRole('option', { name: /Reboot harbour-01/ }).click()
  await page.getByRole('dialog', { name: 'Reboot server' }).waitFor()
})
