/**
 * A WordPress that is deleted and comes back, in a browser, on a real host: an image is uploaded in its own pages, both sides are edited after a
 * pull, a push keeps what live got meanwhile, and the site that is made of the last backup has its SSL, its alias and its images as before.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Authority, startAuthority } from '../hosts/lab/authority'
import { type Host, type Release, startHost } from '../hosts/lab/lab'
import { someDebians } from '../hosts/releases'
import { visitSecurely } from '../hosts/sites/https'
import { openChromium, openChromiumAt, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { startGatehouse } from '../support/gatehouse-process'
import { faultsInAllLooks } from '../support/page-faults'
import { openChance } from '../support/seeds'
import { addHost } from './add-host'
import { makeAuthorityPlace } from './authority-place'
import { openSitePage, readCredentials } from './site-page'
import { load, signIn, uploadImage } from './wp-admin'

const patience = { timeout: 600_000 }
const chance = openChance()

const serverName = 'web-fra-01'
const domain = 'blog.test'
const origin = `https://${domain}`
const names = [domain, `www.${domain}`, `staging.${domain}`]

type Story = { page: Page; url: string; host: Host; authority: Authority; reader: Visitor }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

/** Gatehouse with the host as its one installed server, as a user gets there. */
async function openStory(release: Release, tell: (story: Story) => Promise<void>): Promise<void> {
  await using authority = await startAuthority()
  using place = await makeAuthorityPlace(authority)
  await using host = await startHost({ login: { kind: 'root-password' }, name: serverName, release })
  await using gatehouse = await startGatehouse(place)
  await using visitor = await openChromium()
  // Who reads and writes the site trusts the authority of this test.
  await using reader = await openChromiumAt(domain, host.ip, { ignoreHTTPSErrors: true })
  reader.context.setDefaultTimeout(90_000)
  const { page } = visitor
  await createAccount(page, gatehouse.setupLink ?? '')
  await addHost(page, serverName, host)
  await button(page, 'Install').click()
  await page.getByText('is installed.').waitFor({ timeout: 900_000 })
  await authority.serveNames(host)
  for (const name of names) await authority.addAddresses(name, [host.ip])
  await tell({ page, url: gatehouse.url, host, authority, reader })
  expect(visitor.complaints).toEqual([])
}

const openPage = ({ page, url }: Story, tab: string): Promise<void> => openSitePage(page, { url, domain, tab }, patience.timeout)

async function createSite(story: Story): Promise<void> {
  const { page, url } = story
  await page.goto(`${url}/sites/new`)
  await page.getByLabel('Domain').fill(domain)
  await button(page, 'Add site').click()
  await page.getByText(`${domain} was created.`).waitFor(patience)
  await openPage(story, 'SSL')
  await button(page, 'Turn on SSL').click(patience)
  await button(page, 'Turn off SSL').waitFor(patience)
}

async function installWordPress(story: Story): Promise<string> {
  await openPage(story, 'App')
  await button(story.page, 'Install WordPress').click()
  return readCredentials(story.page, patience.timeout)
}

/** A picture that can be told from others. */
async function draw(text: string): Promise<Buffer> {
  await using visitor = await openChromium({ viewport: { width: 320, height: 200 } })
  await visitor.page.setContent(`<h1>${text}</h1>`)
  return await visitor.page.screenshot()
}

type Image = { url: string; image: Buffer }

async function uploadAndSee(page: Page, at: string, name: string): Promise<Image> {
  const image = await draw(name)
  const url = await uploadImage(page, at, `${name}.png`, image)
  expect(await load(page, url)).toEqual({ status: 200, body: image })
  return { url, image }
}

/** After a pull, both sides get an image. Resolves with that of live. */
async function editBothSides(story: Story, password: string): Promise<Image> {
  const { page, reader } = story
  await openPage(story, 'App')
  await button(page, 'Pull to staging').click()
  await dialog(page).getByRole('button', { name: 'Pull to staging' }).click()
  const forBrowsers = await readCredentials(page, patience.timeout)
  const staging = `https://staging.${domain}`
  const credentials = { username: 'staging', password: forBrowsers }
  const editor = await reader.another({ httpCredentials: credentials, ignoreHTTPSErrors: true })
  editor.setDefaultTimeout(90_000)
  await signIn(editor, staging, password)
  await uploadAndSee(editor, staging, 'on-staging')
  return uploadAndSee(reader.page, origin, 'on-live')
}

/** The dialog names what live got since the pull, and keeps it. */
async function pushFiles(story: Story): Promise<void> {
  const { page } = story
  await page.reload()
  await button(page, 'Push to live').click(patience)
  await dialog(page)
    .getByText(/on-live\.png/)
    .first()
    .waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await dialog(page).getByLabel(/^Type/).fill(domain)
  await dialog(page).getByRole('button', { name: 'Push to live' }).click()
  await page.getByText(`${domain} was replaced.`).first().waitFor(patience)
}

async function deleteSite({ page, url }: Story): Promise<void> {
  await page.goto(`${url}/sites`)
  await page.getByRole('link', { name: domain, exact: true }).click(patience)
  await button(page, 'Delete site').click()
  await dialog(page).getByLabel(/^Type/).fill(domain)
  await dialog(page).getByRole('button', { name: 'Delete site' }).click()
  await page.getByText(`${domain} was deleted.`).waitFor(patience)
}

/** From the list of deleted sites on the server's page. */
async function bringBack({ page }: Story): Promise<void> {
  await page.getByRole('link', { name: 'Restore it from the server’s backups' }).click(patience)
  await page.getByRole('link', { name: `Restore ${domain}` }).click(patience)
  await page.getByRole('heading', { name: 'Restore deleted site' }).waitFor(patience)
  await button(page, 'Restore site').click()
  await page.getByText(`${domain} was created.`).waitFor(patience)
  await button(page, 'I have copied it').click()
  await page.getByRole('link', { name: 'View log' }).click()
  await page
    .getByText(/is restored from the last backup of a deleted site\. .*SSL/)
    .first()
    .waitFor(patience)
}

test.each(someDebians(chance))(
  `on $debian, SEED=${chance.seed}: a WordPress that was deleted comes back from its last backup as it was`,
  async ({ release }) => {
    await openStory(release, async (story) => {
      const { reader, host, authority, page } = story
      await createSite(story)
      const password = await installWordPress(story)
      await signIn(reader.page, origin, password)
      const first = await uploadAndSee(reader.page, origin, 'first')
      const onLive = await editBothSides(story, password)
      await pushFiles(story)
      const onStaging = first.url.replace('first.png', 'on-staging.png')
      const isThere = async () => {
        for (const { url, image } of [first, onLive]) expect(await load(reader.page, url)).toEqual({ status: 200, body: image })
        expect((await load(reader.page, onStaging)).status).toBe(200)
      }
      await isThere()
      await deleteSite(story)
      await bringBack(story)
      await isThere()
      const root = await authority.chainRoot()
      expect((await visitSecurely(host, domain, root, '/')).names).toBe(names.slice(0, 2).join(', '))
      expect(await visitSecurely(host, `www.${domain}`, root, '/')).toMatchObject({ status: 301 })
      await signIn(reader.page, origin, password)
      await uploadAndSee(reader.page, origin, 'after')
      await openPage(story, 'Settings')
      await expect.poll(() => page.getByLabel(`www.${domain}`).inputValue(), patience).toBe('1')
    })
  },
)
