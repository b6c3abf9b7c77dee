/** What a server did by its own timers is on the pages Jobs and Activity: who sees it, how it is filtered, and what its own page says. */
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks } from '../support/page-faults'

const patience = { timeout: 60_000 }
const reason = 'There is not enough room in /var/backups/gatehouse: 193.4 MB is free; a backup needs about 512 MB.'

test('events of a server are listed once, filtered by kind, and their pages offer nothing to start again', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, url, path, visitor } = visit
  const origin = new URL(url).origin
  const server = upstream.model.servers.get(path.replace('/servers/', ''))
  if (!server) throw new Error('The server is not there.')
  const event = (id: string, kind: string, detail: string, more: object = {}) => ({
    id,
    kind,
    at: new Date().toISOString(),
    outcome: 'done',
    detail,
    site: '',
    ...more,
  })
  server.found = {
    events: [
      event('1', 'backup', 'The server and 3 sites were backed up.'),
      event('2', 'backup', reason, { outcome: 'failed' }),
      event('3', 'renewal', '', { site: 'a-very-long-name-of-a-customer-that-nobody-shortens.northwind.test' }),
      event('4', 'updates', 'libssl3, openssl, linux-image-amd64.'),
      event('5', 'reboot', ''),
    ],
  }
  // Whoever looks at the server is a check of it.
  await page.goto(url)
  await page.goto(`${origin}/jobs`)
  const rows = page.locator('tbody tr').filter({ hasText: /foreign-01|northwind/ })
  await expect.poll(() => rows.count(), patience).toBe(5)
  await rows.filter({ hasText: 'Reboot of foreign-01' }).getByText('The server').first().waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  // The first job brings the filter, at the next look at the page.
  await page.reload()
  await page.getByLabel('Kind').selectOption({ label: 'Nightly backup' })
  await page.getByLabel('Outcome').selectOption({ label: 'Failed' })
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => rows.count(), patience).toBe(1)
  await page.getByRole('link', { name: 'Nightly backup of foreign-01' }).first().click()
  await page.getByText(reason).waitFor(patience)
  await page.getByText('by the server’s own timer').waitFor()
  expect(await page.getByRole('button', { name: /again|Stop|Cancel/i }).count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])

  // A second look at the server adds nothing.
  await page.goto(url)
  await page.goto(`${origin}/activity`)
  await page.getByLabel('Kind').selectOption({ label: 'Server events' })
  await page.getByRole('button', { name: 'Filter' }).click()
  for (const told of [
    'Made the nightly backup. The server and 3 sites were backed up',
    'Installed updates automatically: libssl3, openssl, linux-image-amd64',
    'Rebooted the server. Nobody requested it in Gatehouse',
  ]) {
    await page.getByText(told).first().waitFor(patience)
  }
  await expect.poll(() => page.locator('tbody tr').filter({ hasText: 'The server' }).count(), patience).toBe(5)
  await page.getByText(reason).filter({ visible: true }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})
