/** The last backups of deleted sites on the page Backups of their server: empty, failing, with long names, restored as a site, deleted. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 60_000 }
const takes = { timeout: 300_000 }

const table = (page: Page) => page.getByRole('table', { name: 'Last backups of deleted sites' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

test('the last backup of a deleted site is found from the end of the deletion, restored as a site, and deleted', takes, async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, owner, id, visitor, gatehouse } = visit
  await owner.install(id)
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByText('is installed.').waitFor(patience)
  await page.goto(`${gatehouse.url}/servers/${id}/backups`)
  await page.getByText('When a site is deleted, its last backup is listed here for 7 days.').waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.goto(`${gatehouse.url}/sites/new?server=${id}`)
  await page.getByLabel('Domain').fill('gone.example')
  await button(page, 'Add site').click()
  await page.getByText('gone.example was created.').waitFor({ timeout: 90_000 })
  await button(page, 'I have copied it').click()
  await page.getByRole('button', { name: 'Delete site' }).first().click(patience)
  await dialog(page).getByLabel(/^Type/).fill('gone.example')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Restore it from the server’s backups' }).click({ timeout: 90_000 })

  const row = table(page).locator('tbody tr').filter({ hasText: 'gone.example' })
  await row.waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  const { page: theirs } = await visit.join('Vera', 'viewer')
  await theirs.goto(page.url())
  await table(theirs).getByText('gone.example').first().waitFor(patience)
  expect(await theirs.getByRole('link', { name: /^Restore/ }).count()).toBe(0)
  expect(
    await table(theirs)
      .getByRole('button', { name: /^Actions/ })
      .count(),
  ).toBe(0)

  // By keyboard.
  await row.getByRole('link', { name: 'Restore gone.example' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Restore deleted site' }).waitFor(patience)
  await page.getByText(/gone\.example-\d{8}-\d{6}-delete\.tar\.zst/).waitFor()
  await page.getByText(/MB, /).first().waitFor(patience)
  expect(await page.getByLabel('Domain').inputValue()).toBe('gone.example')
  expect(await page.getByText('Also answer for').count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
  await button(page, 'Restore site').click()
  await page.getByText('gone.example was created.').waitFor({ timeout: 90_000 })
  await button(page, 'I have copied it').click()
  await page.getByRole('link', { name: 'View log' }).click()
  await page.getByText('gone.example is restored from the last backup of a deleted site.').first().waitFor(patience)

  await page.goto(`${gatehouse.url}/servers/${id}/backups`)
  await button(page, `Actions for ${await nameIn(page)}`).click(patience)
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await dialog(page).getByLabel(/^Type/).fill('1')
  await page.keyboard.press('Enter')
  await page.getByText('The last backup was deleted.').waitFor(patience)
  await page.getByText('When a site is deleted, its last backup is listed here').waitFor(patience)
  await page.goto(`${gatehouse.url}/activity`)
  await page
    .getByText(/the site gone\.example from the last backup/)
    .first()
    .waitFor(patience)
  expect(visitor.complaints).toEqual([])
})

const nameIn = async (page: Page): Promise<string> => {
  const label = await table(page)
    .getByRole('button', { name: /^Actions for / })
    .first()
    .getAttribute('aria-label', patience)
  return label?.replace('Actions for ', '') ?? ''
}

test('long names, an archive of an earlier version, and a list that cannot be read', takes, async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, path, url, visitor } = visit
  const server = upstream.model.servers.get(path.split('/').at(-1) ?? '')
  // A site can only be made on an installed server.
  if (server) server.state = 'ready'
  const domain = `${'a-long-label-of-a-domain-'.repeat(2)}x.${'and-another-one-'.repeat(3)}x.example`
  server?.lastBackups.push({
    name: `${domain}-20261120-000000-delete.tar.zst`,
    domain,
    size: 41943040,
    proven: false,
    format: 1,
    lacks: ['email', 'cron jobs'],
    taken: ['taken.example', 'xn--mnchen-3ya.example'],
    created_at: '2026-11-20T00:00:00.000Z',
    kept_until: '2026-11-27T00:00:00.000Z',
  })
  upstream.set('500-json', { path: `${path}/lastbackups` })
  await page.goto(`${url}/backups`)
  await page.getByText('The last backups of deleted sites could not be listed.').waitFor(patience)
  expect(await faultsOf(page)).toEqual([])
  upstream.clear()
  await page.reload()
  await table(page).getByText('Made by an earlier version, without email and cron jobs').waitFor(patience)
  await table(page).getByText('Not verified').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await table(page)
    .getByRole('link', { name: `Restore ${domain}` })
    .click()
  await page.getByText('It was made by an earlier version, which did not back up email and cron jobs.').waitFor(patience)
  await page.getByText('Aliases belong to other sites by now and are left out: taken.example, münchen.example.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})
