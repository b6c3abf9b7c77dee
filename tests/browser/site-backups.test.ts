/** Backups of a site on their page: created, restored and deleted; and the site downloaded through the portal. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 60_000 }
const takes = { timeout: 300_000 }

const rows = (page: Page) => page.getByRole('table', { name: 'Backups' }).locator('tbody tr')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

/** Opens the backups of a site that a list shows by now. */
async function openBackups(page: Page, origin: string, domain: string): Promise<void> {
  const link = page.getByRole('link', { name: domain, exact: true })
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return link.count()
    }, patience)
    .toBe(1)
  const href = await link.getAttribute('href')
  await page.goto(`${origin}${href}/backups`, { waitUntil: 'networkidle' })
}

/** Restores a backup in the dialog that its row opens. */
async function restore(page: Page, name: string, domain: string): Promise<void> {
  await button(page, `Restore ${name}`).click(patience)
  await dialog(page).getByLabel(/^Type/).fill(domain)
  await dialog(page).getByRole('button', { name: 'Restore backup' }).dblclick()
}

/** Presses the link and returns what the browser saved. */
async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [saved] = await Promise.all([
    page.waitForEvent('download', patience),
    page.getByRole('link', { name: 'Download archive', exact: true }).click(patience),
  ])
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) }
}

const backups = ['one.tar.gz', 'two.tar.gz', 'three.tar.gz'].map((name, index) => ({ name, size: 41943040, date: `Nov 2${index} 10:17` }))

// The newest such day: the service names no year.
const year =
  Date.UTC(new Date().getUTCFullYear(), 10, 22) > Date.now() + 86_400_000 ? new Date().getUTCFullYear() - 1 : new Date().getUTCFullYear()
const [one, two] = [`20 Nov ${year} 10:17`, `21 Nov ${year} 10:17`]

function addSite({ upstream }: ForeignVisit, domain: string, more = {}) {
  const id = upstream.addSite({ domain, backups: [...backups], ...more })
  const site = upstream.model.sites.get(id)
  if (!site) throw new Error('The site is gone.')
  return { site, at: `/sites/${id}` }
}

test(
  'a foreign service: backups are created once, restored by the domain and deleted by their number, whatever is lost',
  takes,
  async () => {
    await using visit = await visitForeign()
    const { page, upstream, visitor } = visit
    const { origin } = new URL(visit.url)
    const { site, at } = addSite(visit, 'first.example')
    site.backups = site.backups.map((backup) => (backup.name === 'two.tar.gz' ? { ...backup, taken: ['lost.example'] } : backup))
    await openBackups(page, origin, 'first.example')
    await row(page, 'three.tar.gz').getByText('Nov 22 10:17').first().waitFor()
    // Nothing is claimed that such a service does not say.
    expect(await page.locator('main').innerText()).not.toMatch(/Manual|Nightly|every night|\bago\b/)
    expect(await faultsInAllLooks(page)).toEqual([])

    upstream.set('reset-after', { path: `${at}/backup/creates`, times: 1 })
    await button(page, 'Create backup').dblclick()
    await page.getByText('The backup was created.').waitFor(patience)
    expect([site.backups.length, upstream.callsTo('GET', `${at}/backup/creates`).length]).toEqual([4, 1])

    await row(page, 'two.tar.gz')
      .getByRole('button', { name: `Restore ${two}` })
      .click()
    expect(await dialog(page).getByRole('checkbox').count()).toBe(0)
    await dialog(page).getByText('An alias belongs to other sites by now and is left out: lost.example.').waitFor()
    expect(await dialog(page).getByRole('button', { name: 'Restore backup' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await restore(page, two, 'first.example')
    await page.getByText('first.example was restored.').first().waitFor(patience)
    expect(site.restored).toEqual([{ name: 'two.tar.gz', backedUpFirst: false }])

    // No read shows whether a site was restored, so its outcome stays unknown, and it is not sent again.
    upstream.set('reset-after', { path: at, times: 1 })
    await restore(page, one, 'first.example')
    await page.getByText('The outcome is unknown.').waitFor(patience)
    expect(site.restored).toHaveLength(2)

    upstream.set('reset-after', { path: `${at}/backups`, times: 1 })
    await page.getByRole('checkbox', { name: `Select ${one}` }).check()
    await page.getByRole('checkbox', { name: `Select ${two}` }).check()
    await button(page, 'Delete 2 backups').click()
    await dialog(page).getByLabel(/^Type/).fill('2')
    await dialog(page).getByRole('button', { name: 'Delete 2 backups' }).click()
    await page.getByText('2 backups were deleted.').waitFor(patience)
    expect(site.backups.map(({ name }) => name)).not.toContain('one.tar.gz')
    expect(upstream.callsTo('POST', `${at}/backups`)).toHaveLength(1)
    expect(visitor.complaints).toEqual([])
  },
)

test('the archive of a site comes through the portal without the key; one behind a login is only linked', takes, async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, visitor } = visit
  const { origin } = new URL(visit.url)
  const bytes = Buffer.from('The archive. '.repeat(100_000))
  upstream.model.siteLines = { steps: ['files', 'database'], msPerLine: 300 }
  addSite(visit, 'first.example', { archive: { bytes } })
  addSite(visit, 'far.example', { archive: { bytes, elsewhere: 'https://guest:hidden@files.example.net/far.tar.gz' } })
  await openBackups(page, origin, 'first.example')
  await button(page, 'Prepare archive').click()
  await page.getByText('The archive is ready to download.').waitFor(patience)
  await page.getByText(/1\.2 MB · 14 min \d+ s left/).waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  const saved = await download(page)
  expect(saved.name).toMatch(/^first\.example-\d{4}-\d\d-\d\d\.tar\.zst$/)
  expect(saved.bytes.equals(bytes)).toBe(true)
  await page.getByText('The archive was downloaded.').waitFor(patience)
  const fetches = upstream.calls.filter(({ path }) => path.startsWith('/archives/'))
  expect(fetches.map(({ headers }) => headers.authorization)).toEqual(fetches.map(() => undefined))

  await openBackups(page, origin, 'far.example')
  await button(page, 'Prepare archive').click()
  const link = page.getByRole('link', { name: 'Open link' })
  await link.waitFor(patience)
  expect(await link.getAttribute('href')).toBe('https://guest:hidden@files.example.net/far.tar.gz')
  const why =
    'The archive is at files.example.net, from where Gatehouse does not fetch it. Your browser does and sends the login in the link.'
  await page.getByText(why).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto(`${origin}/activity`)
  await page.getByText('Downloaded the archive of the site').first().waitFor()
  expect(await page.locator('main').innerText()).not.toContain('/archives/')
  expect(visitor.complaints).toEqual([])
})

test('a sandbox server: a backup is followed live and verified, restored after a backup, deleted; viewers only look', takes, async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, owner, id, visitor, gatehouse } = visit
  await owner.install(id)
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByText('is installed.').waitFor(patience)
  await page.goto(`${gatehouse.url}/sites/new?server=${id}`)
  await page.getByLabel('Domain').fill('first.example')
  await button(page, 'Add site').click()
  await page.getByText('first.example was created.').waitFor({ timeout: 90_000 })
  await openBackups(page, gatehouse.url, 'first.example')

  // By keyboard.
  await button(page, 'Create backup').focus()
  await page.keyboard.press('Enter')
  await page.getByText('The backup was created.').waitFor({ timeout: 90_000 })
  const made = row(page, ', manual')
  await made.getByText('Verified', { exact: true }).first().waitFor(patience)
  const name = (await made.getByRole('checkbox').getAttribute('aria-label'))?.replace('Select ', '') ?? ''

  await made.getByRole('button', { name: `Restore ${name}` }).click()
  expect(
    await dialog(page)
      .getByRole('checkbox', { name: /Back up the current site first/ })
      .isChecked(),
  ).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('first.example')
  await page.keyboard.press('Enter')
  await page.getByText('first.example was restored.').first().waitFor({ timeout: 90_000 })
  await page.getByText('kept on the server for 24 hours').first().waitFor(patience)
  await row(page, ', before a restore').first().waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])

  await button(page, 'Prepare archive').click()
  expect((await download(page)).bytes.length).toBeGreaterThan(0)

  const { page: theirs } = await visit.join('Vera', 'viewer')
  await theirs.goto(page.url())
  await row(theirs, name).first().waitFor(patience)
  expect(await theirs.getByRole('button', { name: /^(Create backup|Restore|Actions for|Prepare archive)/ }).count()).toBe(0)
  expect(await theirs.getByRole('checkbox').count()).toBe(0)
  expect(await theirs.getByText('Download', { exact: true }).count()).toBe(0)
  expect(await faultsOf(theirs)).toEqual([])

  await made.getByRole('checkbox').check()
  await button(page, 'Delete 1 backup').click()
  await dialog(page).getByLabel(/^Type/).fill('1')
  await dialog(page).getByRole('button', { name: 'Delete 1 backup' }).click()
  await page.getByText('The backup was deleted.').waitFor(patience)
  await expect.poll(() => row(page, name).count(), patience).toBe(0)
  await page.goto(`${gatehouse.url}/activity`)
  await page.getByText('after backing up its current state').first().waitFor()
  expect(visitor.complaints).toEqual([])
})
