/** The pages of a server before its install: each offers the install, and none shows an error. */
import { expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { visitSandbox } from '../support/sandbox-visit'

test('every tab of a server that is not installed offers Install and shows no error', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { visitor, page, id, gatehouse } = visit
  const main = page.getByRole('main')
  for (const tab of ['cron', 'users', 'firewall', 'logs', 'mail', 'backups', 'settings']) {
    await page.goto(`${gatehouse.url}/servers/${id}/${tab}`)
    await main.getByText('This server is not installed yet.').waitFor()
    await main
      .getByText(/^(Checking|Reading)/)
      .first()
      .waitFor({ state: 'hidden' })
    expect([tab, await main.locator('.bg-danger-bg').allTextContents()]).toEqual([tab, []])
    expect(await main.locator(`a[href="/servers/${id}/install"]`, { hasText: 'Install' }).count()).toBeGreaterThan(1)
  }
  await page.goto(`${gatehouse.url}/servers/${id}/mail`)
  await main.getByText('Not on this server').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await main.locator('a:not([aria-current])', { hasText: 'Install' }).last().click()
  await page.waitForURL(`**/servers/${id}/install`)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await page.goto(`${gatehouse.url}/servers/${id}/mail`)
  const missing = main.getByText(/This server is not installed yet|Not on this server/)
  await expect.poll(() => missing.count()).toBe(0)
  expect(visitor.complaints).toEqual([])
})
