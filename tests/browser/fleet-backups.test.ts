/** The page of all backups: the worst first, what is late in one line, and copies of several sites made from there. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startBucketServer } from '../support/bucket-server'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks } from '../support/page-faults'
import { installWithSites, runJob } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'
import { proveReadable } from '../support/table-faults'

const patience = { timeout: 60_000 }
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const sentence = (page: Page) => page.getByRole('list', { name: 'State of the backups' })
const rows = (page: Page) => page.locator('tr[data-index] a').allInnerTexts()

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('main button:not([disabled])', { hasText: 'CSV' }).waitFor(patience)
}

test('what needs a look comes first, the line above filters, and keys open the backups of a site', { timeout: 300_000 }, async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, visitor } = visit
  upstream.addSite({ domain: 'fresh.example', listed: { backup_at: hoursAgo(3) } })
  upstream.addSite({ domain: 'late.example', listed: { backup_at: hoursAgo(30) } })
  upstream.addSite({ domain: 'never.example', listed: { backup_at: '' } })
  upstream.addSite({ domain: 'silent.example' })
  const long = `${'a-very-long-name-of-a-shop-'.repeat(2)}2.${'of-a-department-'.repeat(3)}1.example`
  upstream.addSite({ domain: long, listed: { backup_at: hoursAgo(5) } })
  const { origin } = new URL(visit.url)
  await open(page, `${origin}/sites`)
  await page.getByRole('link', { name: 'silent.example' }).waitFor(patience)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Backups' }).click()
  await page.getByText('2 of 4 sites have a good backup of the last 26 hours').waitFor(patience)
  expect(await rows(page)).toEqual(['never.example', 'late.example', 'silent.example', long, 'fresh.example'])
  expect(await sentence(page).getByRole('link').allInnerTexts()).toEqual([
    '2 of 4 sites have a good backup of the last 26 hours',
    '1 never backed up',
    '1 is late',
    '1 unknown',
    '2 without a copy elsewhere',
  ])
  await page.getByRole('link', { name: 'Add a backup target' }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await proveReadable(page)
  await page.setViewportSize({ width: 1366, height: 860 })
  await sentence(page).getByRole('link', { name: '1 is late' }).press('Enter')
  await expect.poll(() => rows(page)).toEqual(['late.example'])
  expect(new URL(page.url()).search).toBe('?state=late')
  await sentence(page).getByRole('link', { name: '1 is late' }).press('Enter')
  await expect.poll(() => rows(page)).toHaveLength(5)
  await page.locator('tr[data-index="0"] a').focus()
  for (const key of ['j', 'x']) await page.keyboard.press(key)
  await page.getByRole('region', { name: 'Selected sites' }).getByText('1 site selected').waitFor(patience)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/sites\/[^/]+\/backups$/)
  expect(visitor.complaints).toEqual([])
})

test('several sites are copied at once, and each shows where its copies are', { timeout: 500_000 }, async () => {
  await using bucket = await startBucketServer()
  await using visit = await visitSandbox('harbour-01', { ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  const { page, owner, gatehouse, visitor } = visit
  await installWithSites(visit, ['first.example', 'second.example'])
  await page.goto(`${gatehouse.url}/sites`)
  const site = (await page.getByRole('link', { name: 'first.example', exact: true }).getAttribute('href', patience)) ?? ''
  const siteId = site.split('/').at(-1) ?? ''
  await runJob(visit, 'app/(portal)/sites/actions.ts createBackup', { siteId }, /was backed up\.$/)
  await owner.act('app/(portal)/team/backup-targets/actions.ts addBackupTarget', bucket.fields)
  await open(page, `${gatehouse.url}/backups`)
  await page.getByText('1 without a copy elsewhere').waitFor(patience)
  await page.getByLabel('Select first.example').check()
  await page.getByLabel('Select second.example').check()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('second.example is left out: without a backup that can be copied.').waitFor(patience)
  expect(await dialog.getByLabel('Backup target').locator('option').allInnerTexts()).toEqual(['Copies'])
  expect(await faultsInAllLooks(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Copy the newest backup of 1 site' }).click()
  await page.waitForURL(/\/jobs\/batches\//)
  await page.getByText('1 of 1 done.').first().waitFor(patience)
  await open(page, `${gatehouse.url}/backups`)
  await page.getByText('1 without a confirmed recovery kit').waitFor(patience)
  const line = page.getByRole('row', { name: /first\.example/ })
  expect(await line.innerText()).toMatch(/Kit not confirmed[\s\S]*Copies/)
  expect(await faultsInAllLooks(page)).toEqual([])

  const { page: theirs } = await visit.join('Vera', 'viewer')
  await open(theirs, `${gatehouse.url}/backups`)
  await theirs.getByLabel('Select first.example').check()
  await theirs.getByRole('button', { name: 'CSV' }).last().waitFor(patience)
  expect(await theirs.getByRole('button', { name: 'Copy', exact: true }).getAttribute('aria-disabled')).toBe('true')
  expect(visitor.complaints).toEqual([])
})
