/** Sites in a real browser: listed, created and deleted, through a service with extensions and through a foreign one. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { installWithSites } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'
import { proveReadable, widths } from '../support/table-faults'
import type { UpstreamOptions } from '../support/upstream/upstream'

const patience = { timeout: 40_000 }

type Scene = ForeignVisit & { go: (path: string) => Promise<unknown> }

/** One installed server, foreign-01. */
async function openScene(options: UpstreamOptions = {}): Promise<Scene> {
  const visit = await visitForeign(options)
  for (const server of visit.upstream.model.servers.values()) {
    server.state = 'ready'
    server.listed = options.extensions ? { ip: '192.0.2.10' } : {}
  }
  const { origin } = new URL(visit.url)
  return { ...visit, go: (path) => visit.page.goto(`${origin}${path}`) }
}

/** The list, once it shows this site. */
async function openList({ page, go }: Scene, domain: string): Promise<void> {
  await go('/sites')
  await page.getByRole('link', { name: domain }).waitFor(patience)
}

const figure = (page: Page) => page.locator('main p[role=status]').first().innerText()

const passwordField = (page: Page) => page.getByRole('textbox', { name: 'Password' })

async function fillAndAdd(page: Page, domain: string): Promise<string> {
  await page.getByLabel('Domain').fill(domain)
  const password = await passwordField(page).inputValue()
  await page.getByRole('button', { name: 'Add site' }).click()
  return password
}

async function deleteSite(page: Page, domain: string): Promise<void> {
  await page.getByRole('button', { name: 'Delete site' }).click()
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: 'Delete site' })
  expect(await button.isDisabled()).toBe(true)
  await dialog.getByLabel(/^Type/).fill(domain)
  await button.click()
}

test('a foreign service: sites are listed without what it does not report, created with elapsed time, and deleted by typed domain', async () => {
  await using scene = await openScene()
  const { page, upstream, go, visitor } = scene
  upstream.addSite({ domain: 'first.example' })
  upstream.addSite({ domain: 'xn--mnchen-3ya.example' })
  await openList(scene, 'first.example')
  expect(await page.getByRole('link', { name: 'münchen.example' }).count()).toBe(1)
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['', 'Domain', 'Server', 'Usage', 'IP', 'MX'])
  expect(await faultsInAllLooks(page)).toEqual([])

  await go('/sites/new')
  expect(await page.getByText(/Also answer for/).count()).toBe(0)
  await page.getByLabel('Domain').fill('bücher.example')
  await page.getByText('In the DNS: xn--bcher-kva.example').waitFor()
  const password = await fillAndAdd(page, 'second.example')
  await page.getByText('second.example was created.').waitFor(patience)
  expect(await page.getByText(password).count()).toBe(1)
  expect(upstream.callsTo('POST', '/sites/create').map(({ fields }) => fields)).toEqual([
    { domain: 'second.example', server: 'srv-1', password },
  ])
  // The site’s own page took the place of the form, and leaving it asks as long as the password was not copied.
  await page.waitForURL(/\/sites\/(?!new)[^/]+$/)
  await page.getByRole('heading', { name: 'second.example' }).waitFor()
  await page.getByRole('link', { name: 'Sites', exact: true }).first().click()
  await page.getByRole('dialog', { name: 'Leave without the password?' }).getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect.poll(() => page.getByText(password).count()).toBe(0)
  await page.goBack()
  await page.waitForURL(/\/sites$/)
  await page.goForward()
  await page.getByRole('heading', { name: 'second.example' }).waitFor()
  expect(await page.getByRole('link', { name: 'Open site' }).getAttribute('href')).toBe('http://second.example/')
  expect(await page.getByText('Upload by SFTP').count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])

  const siteUrl = page.url()
  await deleteSite(page, 'second.example')
  await page.waitForURL(/\/jobs\//)
  await page.getByText('second.example was deleted.').waitFor(patience)
  await page.goto(siteUrl)
  await page.getByRole('heading', { name: 'No such site' }).waitFor()
  expect(upstream.calls.filter(({ path }) => path.endsWith('/delete'))).toHaveLength(1)
  expect(visitor.complaints).toEqual([])
})

test('a service with extensions: states, certificates and DNS are listed, steps are live, and the last backup is named', async () => {
  await using scene = await openScene({ extensions: true })
  const { page, upstream, go, url } = scene
  upstream.model.siteLines = { steps: ['user', 'database', 'web-server'], msPerLine: 600 }
  const listed = { state: 'ready', ssl: true, expires: '2027-02-12T10:00:00Z' }
  const summary = { user: 'firstexample', root: '/public', expected: { A: '192.0.2.10', MX: 'mail.example.net' } }
  upstream.addSite({ domain: 'first.example', listed, summary })
  upstream.addSite({ domain: 'down.example', listed: { state: 'down', ssl: false, ip: '198.51.100.7' } })
  upstream.addSite({ domain: `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example`, listed: { state: 'creating' } })
  await openList(scene, 'first.example')
  for (const text of ['Up', 'Down', 'Creating', 'Doesn’t point to the server'])
    await page.getByText(text, { exact: true }).first().waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  const columns = await proveReadable(page)
  expect([columns[390], columns[768]]).toEqual([['domain'], ['state', 'domain', 'server', 'ssl']])
  // Nothing is shown both in a column and below the domain.
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 })
    const row = page.getByRole('row', { name: /first\.example/ }).first()
    const read = async () => {
      const said = await row.innerText()
      return [width, said.match(/foreign-01/g)?.length, said.match(/\bUp\b/g)?.length]
    }
    await expect.poll(read).toEqual([width, 1, 1])
  }
  await page.setViewportSize({ width: 1366, height: 900 })
  await page.getByRole('button', { name: 'State' }).first().click()
  await page.getByRole('menuitemcheckbox', { name: /^Down/ }).click()
  await expect.poll(() => figure(page)).toBe('1 of 3 sites')

  await page.goto(`${url}/sites`)
  await page.getByRole('link', { name: 'first.example' }).click()
  for (const text of ['Matches', 'Differs', 'firstexample', 'On, until 12 Feb 2027'])
    await page.getByText(text, { exact: true }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Open site' }).getAttribute('href')).toBe('https://first.example/')
  const first = page.url()

  await go('/sites/new')
  await page.getByLabel(/Also answer for/).uncheck()
  await fillAndAdd(page, 'new.example')
  await page.getByRole('listitem').filter({ hasText: 'Database' }).waitFor(patience)
  await page.getByText('new.example was created.').waitFor(patience)
  expect(upstream.callsTo('POST', '/sites/create')[0]?.fields).toMatchObject({ www: '0', www_redirect: '0' })
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.goto(first)
  await page.getByRole('button', { name: 'Delete site' }).waitFor()
  await deleteSite(page, 'first.example')
  await page.getByText('/var/backups/gatehouse/first.example.tar.zst').waitFor(patience)

  // Where a deletion leads whose last backup could not be made.
  await openList(scene, 'new.example')
  await page.getByRole('link', { name: 'new.example' }).click()
  await page.getByRole('heading', { name: 'new.example' }).waitFor()
  const { pathname } = new URL(page.url())
  await go(`${pathname}#delete-without-backup`)
  await page.reload()
  expect(await page.getByRole('dialog').getByLabel('Delete without a last backup').isChecked()).toBe(true)
  await page.getByRole('dialog').getByLabel(/^Type/).fill('new.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete site' }).click()
  await page.getByText('new.example was deleted.').waitFor(patience)
  expect(upstream.calls.findLast(({ path }) => /\/delete\?/.test(path))?.path).toContain('without_backup=1')
  await go('/activity')
  await page.getByText('Deleted the site').first().waitFor()
})

test('several sites are backed up as one batch, which continues without the page; one that fails is named and repeated', async () => {
  await using scene = await openScene({ extensions: true })
  const { page, upstream, visitor, go } = scene
  upstream.model.siteLines = { steps: ['archive'], msPerLine: 1000 }
  const ids = ['first.example', 'second.example', 'third.example'].map((domain) => upstream.addSite({ domain }))
  upstream.set('success-false', { path: `/sites/${ids[1]}/backup/creates` })
  await openList(scene, 'third.example')
  await page.getByRole('checkbox', { name: 'Select first.example' }).check()
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
  const bar = page.getByRole('region', { name: 'Selected sites' })
  await bar.getByText('3 sites selected').waitFor()
  await bar.getByRole('button', { name: 'Back up' }).click()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Back up 3 sites' }).click()
  await page.getByRole('heading', { name: 'Back up 3 sites' }).waitFor(patience)
  const batchPath = new URL(page.url()).pathname
  // Nobody looks at it any more.
  await go('/account')
  const counts = () => ids.map((id) => upstream.model.sites.get(id)?.backups.length)
  await expect.poll(counts, patience).toEqual([2, 1, 2])
  await go('/jobs')
  await page.getByRole('link', { name: 'Back up 3 sites' }).click()
  await page.getByText('2 of 3 done, 1 failed.').waitFor(patience)
  await page.getByRole('row', { name: /second\.example.*The server is locked\./ }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await go('/')
  await page.getByText(/^1 of 3 failed\. second\.example: .*The server is locked\./).waitFor(patience)
  expect(await page.getByRole('link', { name: 'Back up 3 sites' }).count()).toBe(2)
  await page.getByRole('link', { name: 'View batch: Back up 3 sites' }).click()
  upstream.clear()
  await page.getByRole('button', { name: 'Repeat for 1 site' }).click()
  await page.getByRole('heading', { name: 'Back up 1 site' }).waitFor(patience)
  await page.getByText('1 of 1 done.').waitFor(patience)
  expect([counts(), new URL(page.url()).pathname === batchPath]).toEqual([[2, 2, 2], false])
  expect(visitor.complaints).toEqual([])
})

test('an app for several sites is chosen from those that their service offers', async () => {
  await using scene = await openScene({ extensions: true })
  const { page, upstream } = scene
  const id = upstream.addSite({
    domain: 'first.example',
    app: { name: '', version: '' },
    catalogue: [{ app: 'dokuwiki', title: 'DokuWiki', version: '2024' }],
  })
  await openList(scene, 'first.example')
  await page.getByRole('checkbox', { name: 'Select first.example' }).check()
  await page.getByRole('region', { name: 'Selected sites' }).getByRole('button', { name: 'Install app' }).click()
  const app = page.getByRole('dialog').getByLabel('App', { exact: true })
  await expect.poll(() => app.inputValue(), patience).toBe('dokuwiki')
  expect(await app.getByRole('option').allInnerTexts()).toEqual(['DokuWiki 2024'])
  await page.getByRole('dialog').getByRole('button', { name: 'Install an app on 1 site' }).click()
  await page.getByText('1 of 1 done.').waitFor(patience)
  expect(upstream.model.sites.get(id)?.app.name).toBe('dokuwiki')
})

test('the filter of jobs says when From is after To, and only what is set is in its address', async () => {
  await using scene = await openScene({ extensions: true })
  const { page, go, upstream } = scene
  upstream.addSite({ domain: 'first.example' })
  await go('/jobs?from=2026-11-20&to=2026-11-10')
  await page.getByText('From is after To: no day is between them.').waitFor()
  await page.getByLabel('To', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL((url) => url.search === '?from=2026-11-20')
})

test('a batch is stopped: what runs ends, the others are not started', async () => {
  await using scene = await openScene({ extensions: true })
  const { page, upstream } = scene
  upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 1500 }
  const ids = ['first.example', 'second.example', 'third.example'].map((domain) => upstream.addSite({ domain }))
  await openList(scene, 'third.example')
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check()
  await page.getByRole('region', { name: 'Selected sites' }).getByRole('button', { name: 'Back up' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Back up 3 sites' }).click()
  await page.getByText('0 of 3 done, 1 running, 2 waiting.').waitFor(patience)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('1 of 3 done, 2 not started.').waitFor(patience)
  await page.getByText(/^Stopped by /).waitFor()
  await page.getByRole('button', { name: 'Repeat for 2 sites' }).waitFor()
  expect(ids.map((id) => upstream.model.sites.get(id)?.backups.length)).toEqual([2, 1, 1])
})

test('10,000 sites are searched and scrolled without delay, at the width of a phone too', async () => {
  await using scene = await openScene()
  const { page, upstream, url } = scene
  for (let index = 0; index < 10_000; index += 1) upstream.addSite({ domain: `site-${index}.example` })
  await openList(scene, 'site-0.example')
  await expect.poll(() => figure(page), patience).toBe('10,000 sites')
  // The service lists all of them in one call. The portal’s first answer has the first rows, and not all of them.
  expect(upstream.calls.filter(({ path }) => /^\/sites\/./.test(path))).toEqual([])
  const html = await (await page.request.get(`${new URL(url).origin}/sites`)).text()
  expect([html.includes('site-0.example'), html.includes('site-9876.example')]).toEqual([true, false])
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1500)
  await page.getByLabel('Filter sites').fill('site-9876')
  await expect.poll(() => figure(page)).toBe('1 of 10,000 sites')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: 'site-9876.example' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('a service that does not answer: the list says so and keeps its rows, and a refused creation keeps what was typed', async () => {
  await using scene = await openScene()
  const { page, upstream, go } = scene
  upstream.addSite({ domain: 'first.example' })
  await openList(scene, 'first.example')
  upstream.set('reset-before')
  await expect
    .poll(async () => {
      await go('/sites')
      return page.getByText(/The response of the service was cut off|unreachable/).count()
    }, patience)
    .toBeGreaterThan(0)
  expect(await page.getByRole('link', { name: 'first.example' }).count()).toBe(1)
  upstream.clear()

  upstream.set('500-json', { path: '/sites/create' })
  await go('/sites/new')
  await fillAndAdd(page, 'second.example')
  await page.getByRole('link', { name: 'Try again' }).click(patience)
  expect(await page.getByLabel('Domain').inputValue()).toBe('second.example')
  upstream.clear()
  await page.getByRole('button', { name: 'Add site' }).click()
  await page.getByText('second.example was created.').waitFor(patience)
})

test('deleting a server counts its sites in the confirmation, and a sandbox server’s sites leave the list with it', async () => {
  await using foreign = await openScene()
  const { upstream, url } = foreign
  const confirm = async (page: Page, address: string) => {
    await page.goto(`${address}/settings`, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Delete server' }).click()
    return page.getByRole('dialog')
  }
  const asked = await confirm(foreign.page, url)
  await asked.getByText('It has no sites.').waitFor(patience)
  for (const domain of ['one.example', 'two.example']) upstream.addSite({ domain })
  upstream.addSite({ domain: 'elsewhere.example', server: 'another' })
  await openList(foreign, 'one.example')
  const again = await confirm(foreign.page, url)
  await again.getByText('The service also decides what happens to 2 sites on it.').waitFor(patience)
  expect(await faultsInAllLooks(foreign.page)).toEqual([])

  await using visit = await visitSandbox('harbour-01')
  const { page, id, gatehouse } = visit
  await installWithSites(visit, ['xn--mnchen-3ya.example'])
  const dialog = await confirm(page, `${gatehouse.url}/servers/${id}`)
  await dialog
    .getByText(
      /^Its site münchen\.example leaves the list with it, but keeps running on the server, with nightly backups\. Adding the server again brings it back\.$/,
    )
    .waitFor(patience)
  await dialog.getByLabel(/^Type/).fill('harbour-01')
  await dialog.getByRole('button', { name: 'Delete server' }).click()
  await page.waitForURL('**/servers')
  await page.goto(`${gatehouse.url}/sites`)
  await page.getByText('No sites yet').waitFor(patience)
})
