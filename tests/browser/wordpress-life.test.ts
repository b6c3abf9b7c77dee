/**
 * The life of a WordPress with SSL and an alias on a Debian 13 server, all of it in browsers: images are uploaded, it is pulled to staging, changed on
 * both sides and pushed without losing what live gained, backed up, deleted, created again and restored as it was.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Authority, startAuthority } from '../hosts/lab/authority'
import { type Host, startHost } from '../hosts/lab/lab'
import { visitSecurely } from '../hosts/sites/https'
import { openChromium, openChromiumAt, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { startGatehouse } from '../support/gatehouse-process'
import { addHost } from './add-host'
import { makeAuthorityPlace } from './authority-place'
import { openSitePage, readCredentials } from './site-page'
import { editPage, installPlugin, load, signIn, uploadImage } from './wp-admin'

const patience = { timeout: 300_000 }

const domain = 'harbour.test'
const alias = 'shop.harbour.test'
const copy = `staging.${domain}`
const origin = `https://${domain}`

type Life = { page: Page; url: string; host: Host; authority: Authority; visitor: Visitor }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const openPage = ({ page, url }: Life, tab: string) => openSitePage(page, { url, domain, tab }, patience.timeout)

/** Gatehouse with the host as its one installed server, as a user gets there, and a browser for which the site's names lead to the host. */
async function openLife(live: (life: Life) => Promise<void>): Promise<void> {
  await using authority = await startAuthority()
  using place = await makeAuthorityPlace(authority)
  await using host = await startHost({ login: { kind: 'root-password' }, name: 'web-fra-01', release: 'trixie' })
  await using gatehouse = await startGatehouse(place)
  await using browser = await openChromium()
  await using visitor = await openChromiumAt(domain, host.ip, { ignoreHTTPSErrors: true })
  visitor.context.setDefaultTimeout(90_000)
  await createAccount(browser.page, gatehouse.setupLink ?? '')
  await addHost(browser.page, 'web-fra-01', host)
  await button(browser.page, 'Install').click()
  await browser.page.getByText('is installed.').waitFor({ timeout: 900_000 })
  await authority.serveNames(host)
  for (const name of [domain, `www.${domain}`, alias, copy]) await authority.addAddresses(name, [host.ip])
  await live({ page: browser.page, url: gatehouse.url, host, authority, visitor })
  expect(browser.complaints).toEqual([])
}

async function createSite({ page, url }: Life): Promise<void> {
  await page.goto(`${url}/sites/new`)
  await page.getByLabel('Domain').fill(domain)
  await button(page, 'Add site').click()
  await page.getByText(`${domain} was created.`).waitFor(patience)
  await button(page, 'I have copied it').click()
}

async function addNames(life: Life): Promise<void> {
  const { page } = life
  await openPage(life, 'Aliases')
  await page.getByLabel('Add aliases').fill(alias)
  await button(page, 'Add alias').click()
  await page.getByRole('list', { name: 'Outcome' }).getByText('Added').waitFor(patience)
  await openPage(life, 'SSL')
  await button(page, 'Turn on SSL').click(patience)
  await button(page, 'Turn off SSL').waitFor(patience)
}

/** Resolves with the password of its administrator. */
async function installWordPress(life: Life): Promise<string> {
  await openPage(life, 'App')
  await button(life.page, 'Install WordPress').click()
  return readCredentials(life.page, patience.timeout)
}

/** Uploads a picture of a text in wp-admin and sees it. Resolves with what loads it again. */
async function uploadAndSee({ visitor }: Life, text: string): Promise<() => Promise<void>> {
  await using artist = await openChromium({ viewport: { width: 320, height: 200 } })
  await artist.page.setContent(`<h1>${text}</h1>`)
  const image = await artist.page.screenshot()
  const url = await uploadImage(visitor.page, origin, `${text}.png`, image)
  const see = async () => expect(await load(visitor.page, url)).toEqual({ status: 200, body: image })
  await see()
  return see
}

/** Resolves with a window on the staging copy, signed in to as its administrator. */
async function pull(life: Life, password: string): Promise<Page> {
  const { page, visitor } = life
  await openPage(life, 'App')
  await button(page, 'Pull to staging').click(patience)
  await dialog(page).getByRole('button', { name: 'Pull to staging' }).click()
  const staging = await readCredentials(page, patience.timeout)
  const inside = await visitor.another({ ignoreHTTPSErrors: true, httpCredentials: { username: 'staging', password: staging } })
  inside.setDefaultTimeout(90_000)
  await signIn(inside, `https://${copy}`, password)
  return inside
}

/** With what the dialog chooses. */
async function push(life: Life): Promise<void> {
  const { page } = life
  await openPage(life, 'App')
  await button(page, 'Push to live').click(patience)
  await dialog(page)
    .getByText(/changed on live since the pull/)
    .first()
    .waitFor(patience)
  await dialog(page).getByLabel(/^Type/).fill(domain)
  await dialog(page).getByRole('button', { name: 'Push to live' }).click()
  await page.getByText(`${domain} was replaced.`).first().waitFor(patience)
}

async function backUp(life: Life): Promise<void> {
  await openPage(life, 'Backups')
  await button(life.page, 'Create backup').click(patience)
  await backupRows(life).waitFor(patience)
}

const backupRows = ({ page }: Life) =>
  page.getByRole('table', { name: 'Backups' }).locator('tbody tr').filter({ hasText: ', manual' }).first()

async function deleteSite({ page, url }: Life): Promise<void> {
  await page.goto(`${url}/sites`)
  await page.getByRole('link', { name: domain, exact: true }).click(patience)
  await button(page, 'Delete site').click(patience)
  await dialog(page).getByLabel(/^Type/).fill(domain)
  await dialog(page).getByRole('button', { name: 'Delete site' }).click()
  await page.getByText(`${domain} was deleted.`).waitFor(patience)
}

async function restore(life: Life): Promise<void> {
  const { page } = life
  await openPage(life, 'Backups')
  await backupRows(life)
    .getByRole('button', { name: /^Restore / })
    .click(patience)
  await dialog(page).getByLabel(/^Type/).fill(domain)
  await dialog(page).getByRole('button', { name: 'Restore backup' }).click()
  await page.getByText(`${domain} was restored.`).first().waitFor(patience)
}

const textOf = async ({ visitor }: Life, path: string): Promise<string> => {
  await visitor.page.goto(`${origin}${path}`)
  return visitor.page.locator('body').innerText()
}

test('a WordPress is uploaded to, pulled, changed on both sides, pushed, deleted, created again and restored as it was', {
  timeout: 1_800_000,
}, async () => {
  await openLife(async (life) => {
    const { host, authority, visitor } = life
    await createSite(life)
    await addNames(life)
    const password = await installWordPress(life)
    await signIn(visitor.page, origin, password)
    const seeFirst = await uploadAndSee(life, 'first')

    const inside = await pull(life, password)
    await installPlugin(inside, `https://${copy}`, '1.0')
    const seeLater = await uploadAndSee(life, 'later')
    await editPage(visitor.page, origin, 2, 'Low water at nine.')
    await push(life)
    expect(await load(visitor.page, `${origin}/wp-content/plugins/tide/assets/tide.css`)).toMatchObject({ status: 200 })
    await seeFirst()
    await seeLater()
    expect(await textOf(life, '/?page_id=2')).toContain('Low water at nine.')

    await backUp(life)
    const root = await authority.chainRoot()
    const { status, names, serial } = await visitSecurely(host, alias, root)
    await deleteSite(life)
    await createSite(life)
    await restore(life)
    expect(await visitSecurely(host, alias, root)).toMatchObject({ status, names, serial })
    await seeFirst()
    await seeLater()
    expect(await textOf(life, '/?page_id=2')).toContain('Low water at nine.')
    await signIn(visitor.page, origin, password)
    await uploadAndSee(life, 'after')
  })
})
