/** The app of a site and its staging copy: installed with credentials that are shown once, pulled, pushed, and what other services lack. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeignSite } from '../support/foreign-site'
import { faultsInAllLooks } from '../support/page-faults'
import { installWithSites } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'
import type { UpstreamSite } from '../support/upstream/model'
import { appPassword, stagingPassword } from '../support/upstream/site-operations'
import type { UpstreamOptions } from '../support/upstream/upstream'

const patience = { timeout: 60_000 }
const takes = { timeout: 240_000 }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const tick = (page: Page, name: string | RegExp) => dialog(page).getByRole('checkbox', { name })

const openScene = (given: Partial<UpstreamSite>, options: UpstreamOptions) => visitForeignSite('App', { aliases: [], ...given }, options)

const table = (name: string, more = {}) => ({
  name,
  bytes: 1_048_576,
  rows: 1200,
  pulled: true,
  changed: false,
  partners: [],
  related: [] as string[],
  private: '',
  ...more,
})

const copy = (exists: boolean, tables: ReturnType<typeof table>[]) => ({
  domain: 'staging.first.example',
  exists,
  user: 'staging',
  files_bytes: 200 * 1_048_576,
  mixed: true,
  tables,
  pulled: exists ? new Date(Date.now() - 3_600_000).toISOString() : '',
})

const noApp = { name: '', version: '' }
const catalogue = [
  { app: 'wordpress', title: 'WordPress', version: '6.1.6' },
  { app: 'dokuwiki', title: 'DokuWiki', version: '2022-07-31a' },
]

test('an app is installed live; its credentials survive a reload, and are shown until Done', takes, async () => {
  await using scene = await openScene({ app: noApp, catalogue, staging: copy(false, []) }, { extensions: true })
  const { page, upstream, site, sitePath, origin, visitor } = scene
  await button(page, 'Install DokuWiki').waitFor()
  await page.getByText('No staging copy yet').waitFor()
  expect(await button(page, 'Push to live').count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])

  upstream.model.siteLines = { steps: ['download', 'database', 'app'], msPerLine: 5000 }
  await button(page, 'Install WordPress').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Download').first().waitFor(patience)
  expect(await button(page, 'Install DokuWiki').isDisabled()).toBe(true)
  await page.reload()
  await page.getByRole('progressbar').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await button(page, 'Show sign-in details').waitFor(patience)
  expect(upstream.callsTo('GET', `${sitePath}/install/wordpress`)).toHaveLength(1)
  await expect.poll(() => page.getByText('6.1.6').count(), patience).toBe(1)
  expect(await page.locator('main').innerText()).not.toContain(appPassword)

  await page.reload()
  await button(page, 'Show sign-in details').click()
  await page.getByText(appPassword).waitFor()
  await button(page, 'Copy the password').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.reload()
  await button(page, 'Show sign-in details').click()
  await page.getByText(appPassword).waitFor()
  await button(page, 'Done').click()
  await expect.poll(() => page.getByText(appPassword).count()).toBe(0)
  await page.reload()
  await page.getByText('6.1.6').waitFor()
  expect(await button(page, 'Show sign-in details').count()).toBe(0)

  site.app = { ...site.app, update: '6.8.3' }
  await page.reload()
  await page.getByText('WordPress 6.8.3 is available.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(`${origin}/activity`)
  await page.getByText('Installed the app wordpress').first().waitFor()
  await page.getByText('Saw the sign-in details that a job returned').first().waitFor()
  expect(visitor.complaints).toEqual([])
})

test('a pull takes everything, a push only files at first; data of live is left out, partners are chosen together', takes, async () => {
  const tables = [
    table('wp_options'),
    table('wp_posts', { changed: true, partners: ['wp_postmeta'] }),
    table('wp_postmeta', { partners: ['wp_posts'] }),
    table('wp_comments', { private: 'Comments' }),
    table(`wp_${'a_very_long_name_of_a_table_'.repeat(2)}`, { pulled: false }),
  ]
  await using scene = await openScene({ staging: copy(true, tables) }, { extensions: true })
  const { page, upstream, sitePath, visitor } = scene
  await page.getByText('1 hour ago').waitFor()
  await button(page, 'Pull to staging').click()
  await dialog(page).getByText('5 of 5 tables, 5 MB').waitFor()
  await dialog(page).getByText('200 MB on live').waitFor()
  await dialog(page).getByText('Some tables are not InnoDB').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await button(page, 'None').click()
  await dialog(page).getByRole('button', { name: 'Pull to staging' }).click()
  await dialog(page).getByText('Choose at least one table.').waitFor()
  await tick(page, /^Database/).uncheck()
  await dialog(page).getByRole('button', { name: 'Pull to staging' }).click()
  await page.getByText('The staging copy was updated.').waitFor(patience)

  await button(page, 'Push to live').click()
  expect([await tick(page, /^Files/).isChecked(), await tick(page, /^Database/).isChecked()]).toEqual([true, false])
  await tick(page, /^Database/).check()
  await dialog(page).getByText('3 of 5 tables, 3 MB').waitFor()
  expect(await tick(page, /^wp_comments/).isChecked()).toBe(false)
  await dialog(page).getByText('1 chosen table changed on live since the pull.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await tick(page, /^wp_postmeta/).uncheck()
  expect(await tick(page, /^wp_posts/).isChecked()).toBe(false)
  await tick(page, /^Files/).uncheck()
  const confirm = dialog(page).getByRole('button', { name: 'Push to live' })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog(page).getByLabel(/^Type/).fill('first.example')
  upstream.model.siteLines = { steps: ['backup', 'tables'], msPerLine: 3000 }
  await confirm.click()
  await page.getByText('Backup').first().waitFor(patience)
  await page.getByText('first.example was replaced.').waitFor(patience)
  expect(upstream.callsTo('POST', `${sitePath}/apps/push`).map(({ fields }) => fields)).toEqual([
    { files: '0', database: '1', tables: ['wp_options'], replace_live_changes: '0' },
  ])

  await button(page, 'New password').click()
  await button(page, 'Show sign-in details').waitFor(patience)
  await button(page, 'Show sign-in details').click()
  await page.getByText(stagingPassword).waitFor()
  const pulls = upstream.callsTo('POST', `${sitePath}/apps/pull`).map(({ fields }) => fields)
  expect(pulls.at(-1)).toMatchObject({ files: '0', database: '0', new_password: '1' })
  expect(visitor.complaints).toEqual([])
})

test(
  'what changed on live is named before a push and kept unless somebody chooses otherwise; one of related tables only with a warning',
  takes,
  async () => {
    const changes = {
      count: 130,
      noted: true,
      conflicts: ['wp-content/themes/child/style.css'],
      names: ['wp-content/uploads/2026/11/harbour.jpg', `wp-content/uploads/${'a-very-long-name-of-a-picture-'.repeat(4)}.jpg`],
    }
    const access = {
      ip: '192.0.2.7',
      user: 'stagingfirst1a2b',
      root: '/public',
      db_name: 'stagingfirst1a2b',
      db_user: 'stagingfirst1a2b',
      db_host: 'localhost',
    }
    const tables = [table('wp_posts', { related: ['wp_postmeta'] }), table('wp_postmeta', { related: ['wp_posts'] }), table('wp_options')]
    await using scene = await openScene({ staging: { ...copy(true, tables), live_changes: changes, access } }, { extensions: true })
    const { page, upstream, sitePath, visitor } = scene
    await page.getByText('sftp stagingfirst1a2b@192.0.2.7').waitFor()
    expect(await faultsInAllLooks(page)).toEqual([])

    await button(page, 'Push to live').click()
    await dialog(page).getByText('130 files changed on live since the pull.').waitFor()
    await dialog(page).getByText('wp-content/themes/child/style.css').waitFor()
    await dialog(page).getByText('and 127 more files').waitFor()
    const keep = dialog(page).getByRole('radio', { name: /^Keep what changed on live/ })
    expect(await keep.isChecked()).toBe(true)
    await tick(page, /^Database/).check()
    await tick(page, /^wp_options/).uncheck()
    await tick(page, /^wp_postmeta/).uncheck()
    expect(await tick(page, /^wp_posts/).isChecked()).toBe(true)
    await dialog(page).getByText('wp_posts without wp_postmeta').waitFor()
    expect(await faultsInAllLooks(page)).toEqual([])
    await dialog(page).getByLabel(/^Type/).fill('first.example')
    await dialog(page).getByRole('button', { name: 'Push to live' }).click()
    await page.getByText('first.example was replaced.').waitFor(patience)

    await button(page, 'Push to live').click()
    await dialog(page)
      .getByRole('radio', { name: /^Replace all files/ })
      .check()
    await dialog(page).getByLabel(/^Type/).fill('first.example')
    await dialog(page).getByRole('button', { name: 'Push to live' }).click()
    await expect.poll(() => upstream.callsTo('POST', `${sitePath}/apps/push`).length, patience).toBe(2)
    expect(upstream.callsTo('POST', `${sitePath}/apps/push`).map(({ fields }) => fields)).toEqual([
      { files: '1', database: '1', tables: ['wp_posts'], replace_live_changes: '0' },
      { files: '1', database: '0', tables: [''], replace_live_changes: '1' },
    ])
    expect(visitor.complaints).toEqual([])
  },
)

test('the copy of a bundled site gets new passwords for SFTP and its database', takes, async () => {
  await using visit = await visitSandbox('harbour-02')
  const { page, visitor } = visit
  await installWithSites(visit, ['app.northwind.test'])
  await page.getByRole('link', { name: 'Open site' }).click()
  await page.getByRole('link', { name: 'App', exact: true }).click()
  await button(page, 'Pull to staging').click()
  await dialog(page).getByRole('button', { name: 'Pull to staging' }).click()
  await page.getByText('The staging copy was made.').waitFor(patience)
  for (const what of ['SFTP', 'database']) {
    await button(page, `Set ${what} password`).click()
    await dialog(page).getByRole('button', { name: 'Set password' }).click()
    await dialog(page)
      .getByText(/^The password of \S+ was set/)
      .waitFor(patience)
    await dialog(page).getByRole('button', { name: 'Done' }).click()
  }
  expect(visitor.complaints).toEqual([])
})

test('a service without extensions: an app by its name, tables by theirs, and nothing that it does not report', takes, async () => {
  await using scene = await openScene({ app: noApp }, {})
  const { page, upstream, sitePath, visitor } = scene
  await page.getByLabel('Name of the app').fill('../etc')
  await button(page, 'Install app').click()
  await page.getByText('Enter the name of an app, such as wordpress.').waitFor()
  expect(await page.getByLabel('Name of the app').inputValue()).toBe('../etc')
  expect(await faultsInAllLooks(page)).toEqual([])

  await button(page, 'Push to live').click()
  await tick(page, /^Database/).check()
  await dialog(page).getByText('0 of 2 tables').waitFor()
  expect(await dialog(page).innerText()).not.toMatch(/MB|rows|InnoDB|is made first;/)
  expect(await faultsInAllLooks(page)).toEqual([])
  await tick(page, 'wp_posts').check()
  await dialog(page).getByLabel(/^Type/).fill('first.example')
  await dialog(page).getByRole('button', { name: 'Push to live' }).click()
  await page.getByText('first.example was replaced.').waitFor(patience)
  expect(upstream.callsTo('POST', `${sitePath}/apps/push`).map(({ fields }) => fields)).toEqual([
    { files: '1', database: '1', tables: ['wp_posts'] },
  ])

  await page.getByLabel('Name of the app').fill('ghost')
  await button(page, 'Install app').click()
  await page.getByText('The app was installed.').waitFor(patience)
  await page.getByText('ghost').first().waitFor()
  expect(await button(page, 'Show sign-in details').count()).toBe(0)
  expect(visitor.complaints).toEqual([])
})

test('of a bundled site: a Viewer sees the app and changes nothing', takes, async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, visitor } = visit
  await installWithSites(visit, ['news.northwind.test'])
  await page.getByRole('link', { name: 'Open site' }).click()
  await page.getByRole('link', { name: 'App', exact: true }).click()
  await button(page, 'Install WordPress').waitFor()
  await page.getByText('No staging copy yet').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  const { page: theirs } = await visit.join('Nils Berg', 'viewer')
  await theirs.goto(page.url())
  await theirs.getByText('No app', { exact: true }).waitFor()
  await theirs.getByText('No staging copy yet').waitFor()
  for (const name of ['Install WordPress', 'Pull to staging', 'Push to live', 'New password'])
    expect(await button(theirs, name).count()).toBe(0)
  expect(visitor.complaints).toEqual([])
})
