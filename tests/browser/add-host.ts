/** Adding a lab host as a user adds a server. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Host } from '../hosts/lab/lab'

/** Adds it by its address and password, after comparing the fingerprint shown with its own, and arrives at its install page. */
export async function addHost(page: Page, name: string, host: Host): Promise<void> {
  await page.getByRole('link', { name: 'Add server' }).first().click()
  await page.getByLabel('Server address').fill(host.ip)
  await page.getByLabel('User').fill(host.login.user)
  await page.getByLabel('Password', { exact: true }).fill(host.login.pass)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect
    .poll(() => page.getByRole('group', { name: 'Host key' }).textContent(), { timeout: 20_000 })
    .toContain(await host.hostKeyFingerprint())
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Add server' }).click()
  expect((await sent).postData()).toContain(await host.hostKeyFingerprint())
  await page.waitForURL('**/servers/*/install')
}
