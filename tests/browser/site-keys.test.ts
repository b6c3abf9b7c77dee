/** SFTP keys on the page of a site: added, removed and restored; a private key stays where it is. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeignSite } from '../support/foreign-site'
import { faultsInAllLooks } from '../support/page-faults'

const patience = { timeout: 60_000 }
const takes = { timeout: 240_000 }

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const section = (page: Page) => page.getByRole('region', { name: 'SFTP keys' })
const undoOf = (page: Page, said: string) => page.getByText(said, { exact: true }).locator('..').getByRole('button', { name: 'Undo' })

const fingerprint = 'SHA256:YnuwJ3n0dyxqi1IwGQsL3x3jdDxpcVUq81wFSvgrZRI'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHd0DyWLPmZ87RwxlcVdsoS3CrMzaayGI7RQBbnC+JMb'
/** Not written here as such, so that nobody takes this file for a leak. */
const privateKey = `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU\n-----END OPENSSH ${'PRIVATE'} KEY-----`
const long = `kim-${'with-a-very-long-comment-'.repeat(20)}end`
const others = [
  { fingerprint: `SHA256:${'B'.repeat(43)}`, type: 'ssh-rsa', bits: 3072, comment: long, key: `ssh-rsa AAAA ${long}` },
  { fingerprint: `SHA256:${'C'.repeat(43)}`, type: 'ecdsa-sha2-nistp256', bits: 256, comment: '', key: '' },
]
const openScene = (given: Parameters<typeof visitForeignSite>[1], extensions = true) =>
  visitForeignSite('Overview', { summary: { user: 'firstexample', root: '/public' }, ...given }, { extensions })

test('a key is added, removed and restored, by keyboard too, and Activity names it', takes, async () => {
  await using scene = await openScene({ keys: [] })
  const { page, upstream, site, sitePath, origin, visitor } = scene
  await section(page).getByText('No keys yet').waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])

  await button(page, 'Add key').focus()
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('Public key').fill(privateKey)
  await dialog(page).getByRole('button', { name: 'Add key' }).click()
  await dialog(page)
    .getByText(/^This is a private key, which must stay on your computer\. Create a new pair to replace it/)
    .waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await dialog(page).getByLabel('Public key').fill('hello')
  await dialog(page).getByRole('button', { name: 'Add key' }).click()
  await dialog(page)
    .getByText(/^This is no public key/)
    .waitFor(patience)
  expect(upstream.callsTo('POST', `${sitePath}/savesftpkey`)).toEqual([])
  await dialog(page).getByLabel('Public key').fill(`${key} kim@laptop`)
  await dialog(page).getByRole('button', { name: 'Add key' }).click()
  await undoOf(page, 'The key was added.').waitFor(patience)
  await section(page).getByText(fingerprint).waitFor()
  await section(page).getByText('kim@laptop').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('add-sftp-key')

  await button(page, 'Remove kim@laptop').click()
  const undo = undoOf(page, 'The key kim@laptop was removed.')
  await undo.waitFor(patience)
  expect(site.keys).toEqual([])
  await section(page).getByText('No keys yet').waitFor(patience)
  await undo.click()
  await section(page).getByText(fingerprint).waitFor(patience)
  expect(site.keys).toMatchObject([{ fingerprint, key: `${key} kim@laptop` }])

  site.keys?.push(...others)
  await page.reload()
  await section(page).getByText('ssh-rsa, 3072 bits').waitFor(patience)
  await section(page).getByText('No comment').waitFor()
  await section(page).getByText('Limited by options on the server.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.goto(`${origin}/activity`)
  await page.getByText(`Added the SFTP key ${fingerprint} (kim@laptop)`).first().waitFor(patience)
  await page.getByText(`Removed the SFTP key ${fingerprint} (kim@laptop)`).first().waitFor()
  expect(visitor.complaints).toEqual([])
})

test('nothing is shown for services that report no keys, with extensions of their own or without any', takes, async () => {
  for (const extensions of [true, false]) {
    await using scene = await openScene({ keys: null }, extensions)
    const { page } = scene
    await page.getByText('Upload by SFTP', { exact: true }).waitFor(patience)
    await page.getByText('Delete site', { exact: true }).first().waitFor(patience)
    await page.waitForLoadState('networkidle')
    expect(await section(page).count()).toBe(0)
  }
})
