/** Copies elsewhere of a site on a sandbox server: made on its page, safe once the recovery kit is confirmed; and what a copy that fails says. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startBucketServer } from '../support/bucket-server'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { installWithSites, runJob } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 60_000 }

const section = (page: Page) => page.getByRole('region', { name: 'Copies elsewhere' })

test('the newest backup is copied, and counts as safe once a member has confirmed having the recovery kit', {
  timeout: 400_000,
}, async () => {
  await using bucket = await startBucketServer()
  await using visit = await visitSandbox('harbour-01', { ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  const { page, owner, gatehouse, visitor } = visit
  await installWithSites(visit, ['first.example'])
  await page.goto(`${gatehouse.url}/sites`)
  const site = (await page.getByRole('link', { name: 'first.example', exact: true }).getAttribute('href', patience)) ?? ''
  const siteId = site.split('/').at(-1) ?? ''
  await page.goto(`${gatehouse.url}${site}/backups`)
  await section(page).getByText('No backup targets').waitFor(patience)
  await runJob(visit, 'app/(portal)/sites/actions.ts createBackup', { siteId }, /was backed up\.$/)
  await owner.act('app/(portal)/team/backup-targets/actions.ts addBackupTarget', bucket.fields)

  await page.goto(`${gatehouse.url}${site}/backups`, { waitUntil: 'networkidle' })
  await section(page).getByText('No copy yet').waitFor(patience)
  await section(page).getByRole('button', { name: 'Copy now' }).press('Enter')
  await page.getByText('The newest backup was copied.').waitFor(patience)
  await section(page).getByText('Kit not confirmed').waitFor(patience)
  await section(page)
    .getByText(/first\.example-\d{8}-\d{6}-manual\.tar\.zst · snapshot [0-9a-f]{8}/)
    .waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.goto(`${gatehouse.url}/team/backup-targets`, { waitUntil: 'networkidle' })
  await page.getByText('1 copy of 1 site on 1 server').waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('button', { name: 'Recovery kit' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Recovery kit' })
  const [saved] = await Promise.all([
    page.waitForEvent('download', patience),
    dialog.getByRole('button', { name: 'Download kit' }).press('Enter'),
  ])
  const kit = await readFile(await saved.path(), 'utf8')
  expect(kit).toContain('restic restore')
  expect(kit).not.toContain(bucket.fields.maintenanceKeySecret)
  await dialog.getByLabel('Confirmation code').fill('0000-0000')
  await dialog.getByRole('button', { name: 'Confirm kit' }).press('Enter')
  await dialog.getByText('This is not the code of the newest kit.').waitFor(patience)
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Confirmation code').fill(/confirmation code (\S+)/.exec(kit)?.[1] ?? '')
  await dialog.getByRole('button', { name: 'Confirm kit' }).press('Enter')
  await page.getByText('The copies in Copies are safe.').waitFor(patience)
  await page.goto(`${gatehouse.url}${site}/backups`, { waitUntil: 'networkidle' })
  await section(page).getByText('Safe', { exact: true }).waitFor(patience)

  // The button of the first copy, with the dialog of what is destroyed.
  await section(page)
    .getByRole('button', { name: /^Restore first\.example-.* from Copies$/ })
    .press('Enter')
  const restoring = page.getByRole('dialog', { name: 'Restore copy' })
  await restoring.getByText('Anything changed since then is lost from the site.').waitFor(patience)
  expect(await faultsOf(page)).toEqual([])
  await restoring.getByLabel(/first\.example/).fill('first.example')
  await restoring.getByRole('button', { name: 'Restore copy' }).press('Enter')
  await page.getByText('first.example was restored.').first().waitFor(patience)

  // Of two copies of a day a schedule keeps the newer one.
  await page.goto(`${gatehouse.url}${site}/backups`, { waitUntil: 'networkidle' })
  await section(page).getByRole('button', { name: 'Copy now' }).press('Enter')
  await page.getByText('The newest backup was copied.').waitFor(patience)
  await page.getByRole('button', { name: 'Set schedule' }).press('Enter')
  const scheduling = page.getByRole('dialog', { name: 'Schedule copies' })
  await scheduling.getByLabel('Daily').fill('1')
  await scheduling.getByRole('button', { name: 'Save' }).press('Enter')
  await scheduling
    .getByText(/^With these numbers, one copy of one site is deleted after the next night; .* Type 1 to confirm\.$/)
    .waitFor(patience)
  expect(await faultsOf(page)).toEqual([])
  await scheduling.getByLabel('Copies to delete').fill('1')
  await scheduling.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('The schedule was saved.').waitFor(patience)
  await page.getByText('1 daily, 4 weekly and 6 monthly copies are kept.').waitFor(patience)

  const { page: theirs } = await visit.join('Vera', 'viewer')
  await theirs.goto(page.url())
  await section(theirs).getByText('Safe', { exact: true }).waitFor(patience)
  expect(await theirs.getByRole('button', { name: 'Copy now' }).count()).toBe(0)
  expect(
    await section(theirs)
      .getByRole('button', { name: /^Restore/ })
      .count(),
  ).toBe(0)
  expect(visitor.complaints).toEqual([])
})

test('the newest backup of a server itself is copied on its page, and the page of all backups lists the server', {
  timeout: 400_000,
}, async () => {
  await using bucket = await startBucketServer()
  await using visit = await visitSandbox('harbour-02', { ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  const { page, id, owner, gatehouse, visitor } = visit
  await installWithSites(visit, ['first.example'])
  await owner.act('app/(portal)/team/backup-targets/actions.ts addBackupTarget', { ...bucket.fields, keeper: 'team' })
  await page.goto(`${gatehouse.url}/servers/${id}/backups`, { waitUntil: 'networkidle' })
  await section(page).getByText('No copy yet').waitFor(patience)
  await section(page).getByRole('button', { name: 'Copy now' }).press('Enter')
  await page.getByText('The newest backup was copied.').waitFor(patience)
  await section(page)
    .getByText(/backup-\d{4}-\d{2}-\d{2}-\d{6}\.tar\.gz · snapshot [0-9a-f]{8}/)
    .waitFor(patience)
  await section(page).getByText('Kit not confirmed').waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(`${gatehouse.url}/backups`, { waitUntil: 'networkidle' })
  await page.getByRole('link', { name: 'harbour-02', exact: true }).first().press('Enter')
  await page.waitForURL(`${gatehouse.url}/servers/${id}/backups`, patience)
  expect(visitor.complaints).toEqual([])
})
