/** Notes about a server, edited on its page. */
import { expect, test } from 'vitest'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount, signIn } from '../support/first-steps'
import { makeStartedPlace, startGatehouse } from '../support/gatehouse-process'
import { showColumn } from './show-column'

test('name and DNS are edited in place by keyboard; a refused value stays in the field; list, audit log and Undo are updated', async () => {
  using place = await makeStartedPlace()
  await using gatehouse = await startGatehouse(place)
  await using visitor = await openChromium()
  const { page } = visitor
  await createAccount(page, gatehouse.setupLink ?? '')
  const id = await addSandbox(page, gatehouse.url, 'harbour-01')
  await page.goto(`${gatehouse.url}/servers/${id}`)
  await page.getByText('Reachable', { exact: true }).waitFor()
  const heading = page.getByRole('heading', { level: 1 })
  const pencil = page.getByRole('button', { name: 'Edit name' })
  const box = page.getByRole('textbox', { name: 'New name' })
  const titled = (name: string) => expect.poll(() => heading.allTextContents()).toEqual([name])

  await pencil.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('something else')
  await page.keyboard.press('Escape')
  await titled('harbour-01')
  expect(await pencil.evaluate((button) => button === document.activeElement)).toBe(true)

  // First the service refuses, then the portal cannot be reached: both times the input stays, next to the reason.
  await page.keyboard.press('Enter')
  await box.fill('lighthouse\u0007')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('printable characters').waitFor()
  expect(await box.inputValue()).toBe('lighthouse\u0007')
  await box.fill('lighthouse & <b>sons</b>')
  await page.route('**/servers/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('didn’t respond').waitFor()
  expect(await box.inputValue()).toBe('lighthouse & <b>sons</b>')
  await page.unrouteAll()
  await box.press('Enter')
  await titled('lighthouse & <b>sons</b>')
  await expect.poll(() => pencil.evaluate((button) => button === document.activeElement)).toBe(true)

  const other = await visitor.another()
  await signIn(other, gatehouse.url)
  await other.getByRole('link', { name: 'lighthouse & <b>sons</b>' }).waitFor()

  await page.getByRole('button', { name: 'Undo' }).click()
  await titled('harbour-01')
  await other.reload()
  await other.getByRole('link', { name: 'harbour-01' }).waitFor()

  await page.getByRole('button', { name: 'Edit DNS provider' }).click()
  await page.getByRole('textbox', { name: 'New DNS provider' }).fill('Cloudflare')
  await page.getByRole('button', { name: 'Save DNS provider' }).click()
  await page.getByText('The DNS provider was changed.').waitFor()
  await page.reload()
  await page.getByText('Cloudflare', { exact: true }).waitFor()
  await titled('harbour-01')
  // Wide enough for every column of the list.
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.getByRole('link', { name: 'Servers' }).first().click()
  await page.waitForURL('**/servers')
  await showColumn(page, 'DNS')
  await page.getByRole('row', { name: /harbour-01.*Cloudflare/ }).waitFor()
  expect(visitor.complaints).toEqual([])
})
