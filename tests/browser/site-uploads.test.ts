/** What people upload to apps that Gatehouse installed, in a browser, on real hosts: to WordPress, its staging copy and a restored site, and to DokuWiki. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { debians } from '../hosts/releases'
import { backupsOf } from '../hosts/sites/backed-up'
import { useHostWithSites } from '../hosts/sites/host-with-sites'
import { endOf, pulling, siteNamed } from '../hosts/sites/site-job'
import { appPassword, installing } from '../hosts/sites/site-works'
import { openChromium, openChromiumAt, type Visitor } from '../support/chromium'
import { editPage, foldersInSiteHealth, installPlugin, installTheme, load, signIn, uploadImage } from './wp-admin'

const blog = siteNamed('blogtest1a2b', 'blog.test')
const copy = siteNamed('stagingtest3c4d', 'staging.blog.test')
const wiki = siteNamed('wikitest5e6f', 'wiki.blog.test')
/** In ms: the host and the browser share the machine with other tests. */
const patience = 90_000
const origin = `http://${blog.domain}`

/** Pictures that can be told from each other. */
async function drawImage(text: string): Promise<Buffer> {
  await using visitor = await openChromium({ viewport: { width: 320, height: 200 } })
  await visitor.page.setContent(`<h1>${text}</h1>`)
  return await visitor.page.screenshot()
}

describe.each(debians)('$debian', ({ release }) => {
  const admitted = useHostWithSites(release, [blog, wiki])
  const { backUp, restore } = backupsOf(admitted, blog)
  let visitor: Visitor
  let page: Page
  let first: string

  beforeAll(async () => {
    expect(await endOf(admitted().machine, installing(blog, 'wordpress'))).toMatchObject({ status: 'done' })
    visitor = await openChromiumAt(blog.domain, admitted().host.ip)
    ;({ page } = visitor)
    visitor.context.setDefaultTimeout(patience)
    await signIn(page, origin, appPassword)
  })
  afterAll(async () => {
    await visitor?.[Symbol.asyncDispose]()
  })

  /** Uploads a picture and sees it. Resolves with its address. */
  const uploadAndSee = async (to: Page, at: string, name: string): Promise<string> => {
    const image = await drawImage(name)
    const url = await uploadImage(to, at, `${name}.png`, image)
    expect(url).toMatch(new RegExp(`^${at}/wp-content/uploads/\\d{4}/\\d\\d/${name}\\.png$`))
    expect(await load(to, url)).toEqual({ status: 200, body: image })
    return url
  }

  test('an image that is uploaded to WordPress is served as it is', async () => {
    first = await uploadAndSee(page, origin, 'first')
  })

  test('a plugin and a theme are installed from a zip and updated from another one, and Apache serves their files', async () => {
    await installPlugin(page, origin, '1.0')
    await installPlugin(page, origin, '2.0', true)
    await installTheme(page, origin, '1.0')
    await installTheme(page, origin, '2.0', true)
    await page.goto(origin)
    const text = await page.locator('body').innerText()
    expect(text).toContain('Tide 2.0')
    expect(text).toContain('Shore 2.0')
    const css = await load(page, `${origin}/wp-content/plugins/tide/assets/tide.css`)
    expect([css.status, css.body?.toString()]).toEqual([200, '.tide { --version: "2.0" }\n'])
    expect((await load(page, `${origin}/wp-content/themes/shore/style.css`)).status).toBe(200)
  })

  test('a page is edited and seen', async () => {
    await editPage(page, origin, 2, 'Low water at nine.')
    await page.goto(`${origin}/?page_id=2`)
    expect(await page.locator('body').innerText()).toContain('Low water at nine.')
  })

  test('Site Health names no folder that WordPress cannot write to', async () => {
    const said = await foldersInSiteHealth(page, origin)
    expect(said.filter((text) => text === 'Writable').length).toBeGreaterThan(3)
    expect(said).not.toContain('Not writable')
  })

  test('the staging copy takes uploads', async () => {
    const authority = { directory: '', roots: '', contact: '' }
    const pull = pulling(blog, copy, authority)
    expect(await endOf(admitted().machine, pull)).toMatchObject({ status: 'done' })
    const at = `http://${copy.domain}`
    const inside = await visitor.another({ httpCredentials: { username: 'staging', password: 'for browsers' } })
    inside.setDefaultTimeout(patience)
    await signIn(inside, at, appPassword)
    await uploadAndSee(inside, at, 'on-staging')
    // A file that was pulled.
    expect((await load(inside, first.replace(origin, at))).status).toBe(200)
  })

  test('a restored site serves what was uploaded before, and takes uploads', async () => {
    const name = await backUp()
    const later = await uploadAndSee(page, origin, 'later')
    expect(await restore(name)).toMatchObject({ status: 'done' })
    expect((await load(page, first)).status).toBe(200)
    expect((await load(page, later)).status).toBe(404)
    await signIn(page, origin, appPassword)
    await uploadAndSee(page, origin, 'after')
  })

  test('an image that is uploaded to DokuWiki is served as it is', async () => {
    expect(await endOf(admitted().machine, installing(wiki, 'dokuwiki'))).toMatchObject({ status: 'done' })
    const at = `http://${wiki.domain}`
    await page.goto(`${at}/doku.php?id=start&do=login`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(appPassword)
    await page.getByRole('button', { name: 'Log In' }).click()
    await page.goto(`${at}/doku.php?id=start&do=media&tab_files=upload&ns=`)
    const image = await drawImage('wiki')
    const chosen = page.waitForEvent('filechooser')
    await page.getByText('Select files…').click()
    await (await chosen).setFiles({ name: 'wiki.png', mimeType: 'image/png', buffer: image })
    await page.locator('#mediamanager__upload_button').click()
    await page.locator('.qq-upload-success').waitFor()
    expect(await load(page, `${at}/lib/exe/fetch.php?media=wiki.png`)).toEqual({ status: 200, body: image })
  })
})
