/** The administration of a WordPress, used as its administrator does. origin: http:// and the site's domain. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { makeZip } from './zip'

export async function signIn(page: Page, origin: string, password: string): Promise<void> {
  await page.goto(`${origin}/wp-login.php`)
  // The page empties the field once it has loaded.
  await page.waitForTimeout(500)
  await page.getByLabel('Username or Email Address').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log In' }).click()
  await page.locator('#wpadminbar').waitFor()
}

/** Chooses the file on the page for new media. Resolves with the address that WordPress gives it. */
export async function uploadImage(page: Page, origin: string, name: string, image: Buffer): Promise<string> {
  await page.goto(`${origin}/wp-admin/media-new.php`)
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Select Files' }).click()
  await (await chosen).setFiles({ name, mimeType: 'image/png', buffer: image })
  const copy = page.locator('.copy-attachment-url').first()
  const failure = page.locator('.media-item .error-div, .media-upload-error').first()
  await copy.or(failure).first().waitFor()
  expect(await textOf(failure)).toBe('')
  return (await copy.getAttribute('data-clipboard-text')) ?? ''
}

const textOf = async (locator: Locator): Promise<string> => ((await locator.count()) ? locator.innerText() : '')

/** The status and the content of what the browser gets there. */
export async function load(page: Page, url: string): Promise<{ status: number | undefined; body: Buffer | undefined }> {
  const reply = await page.goto(url)
  return { status: reply?.status(), body: await reply?.body() }
}

/** Of that version. Its mark is on each page, and it has a file that Apache serves. */
const pluginZip = (version: string): Buffer =>
  makeZip({
    'tide/tide.php': `<?php
/*
Plugin Name: Tide
Version: ${version}
*/
add_action('wp_footer', function () { echo '<p>Tide ${version}</p>'; });
`,
    'tide/assets/tide.css': `.tide { --version: "${version}" }\n`,
  })

const themeZip = (version: string): Buffer =>
  makeZip({
    'shore/style.css': `/*\nTheme Name: Shore\nVersion: ${version}\n*/\n`,
    'shore/index.php': `<?php get_header(); ?><p>Shore ${version}</p><?php while (have_posts()) { the_post(); the_content(); } get_footer();\n`,
    'shore/header.php': '<!doctype html><html><head><?php wp_head(); ?></head><body>\n',
    'shore/footer.php': '<?php wp_footer(); ?></body></html>\n',
  })

/** Uploads it on the page for new plugins. An older version that is there is replaced. */
export async function installPlugin(page: Page, origin: string, version: string, replaces = false): Promise<void> {
  await page.goto(`${origin}/wp-admin/plugin-install.php?tab=upload`)
  await page.locator('input[name=pluginzip]').setInputFiles(zipFile('tide.zip', pluginZip(version)))
  await page.getByRole('button', { name: 'Install Now' }).click()
  await finishUpload(page, replaces, /^Plugin (installed|updated) successfully\.$/m)
  if (!replaces) await page.getByRole('link', { name: 'Activate Plugin' }).click()
}

export async function installTheme(page: Page, origin: string, version: string, replaces = false): Promise<void> {
  await page.goto(`${origin}/wp-admin/theme-install.php`)
  await page.getByRole('button', { name: 'Upload Theme' }).click()
  await page.locator('input[name=themezip]').setInputFiles(zipFile('shore.zip', themeZip(version)))
  await page.getByRole('button', { name: 'Install Now' }).click()
  await finishUpload(page, replaces, /^Theme (installed|updated) successfully\.$/m)
  if (!replaces) await page.getByRole('link', { name: /^Activate/ }).click()
}

const zipFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/zip', buffer })

/** Waits for what WordPress says at the end of an upload, which has to fit. */
async function finishUpload(page: Page, replaces: boolean, expected: RegExp): Promise<void> {
  await page.waitForURL(/update\.php\?action=upload/)
  if (replaces) {
    await page.getByRole('link', { name: /^Replace (current|active|installed) with uploaded$/ }).click()
    await page.waitForURL(/overwrite=/)
  }
  await page.locator('#wpfooter').waitFor({ state: 'attached' })
  expect(await page.locator('#wpbody-content').innerText()).toMatch(expected)
}

/** Adds a paragraph to the end of a page in the block editor. */
export async function editPage(page: Page, origin: string, id: number, text: string): Promise<void> {
  await page.goto(`${origin}/wp-admin/post.php?post=${id}&action=edit`)
  const frame = 'iframe[name=editor-canvas]'
  await page.locator(`${frame}, .editor-post-title__input`).first().waitFor()
  const canvas = (await page.locator(frame).count()) > 0 ? page.frameLocator(frame) : page
  const last = canvas.locator('p[data-type="core/paragraph"]').last()
  await last.waitFor()
  // A guide opens at the first visit.
  await page.keyboard.press('Escape')
  await last.click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type(text)
  await page.locator('.editor-post-publish-button').first().click()
  await page.getByText('Page updated.').first().waitFor()
}

/** What Site Health says of the folders that WordPress writes to. */
export async function foldersInSiteHealth(page: Page, origin: string): Promise<string[]> {
  await page.goto(`${origin}/wp-admin/site-health.php?tab=debug`)
  const block = page.locator('#health-check-accordion-block-wp-filesystem')
  return (await block.locator('td:last-child').allTextContents()).map((text) => text.trim())
}
