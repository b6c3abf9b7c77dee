/** A server that was in use before Gatehouse: the log and the server's page name the parts that its install keeps. */
import { expect, test } from 'vitest'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { makeStartedPlace, startGatehouse } from '../support/gatehouse-process'

test('parts that an install keeps are named in its log and on the server’s overview', async () => {
  using place = await makeStartedPlace()
  const gatehouse = await startGatehouse(place)
  await using visitor = await openChromium()
  const { page } = visitor
  await createAccount(page, gatehouse.setupLink ?? '')
  const id = await addSandbox(page, gatehouse.url, 'lived-harbour')
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await expect.poll(() => page.locator('main').textContent()).toContain('kept: Exim is the mail server here; Postfix is not installed.')
  await page.goto(`${gatehouse.url}/servers/${id}`)
  const row = page.locator('dl > div', { hasText: 'Left unchanged' })
  await expect
    .poll(() => row.locator('dd').textContent())
    .toBe('Exim is the mail server here; Postfix is not installed.\nnftables is the firewall here; UFW is not set up.')
  await gatehouse.stop()
})
