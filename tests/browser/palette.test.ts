/** The command palette used only by keyboard on pages of a server: its own actions first, deleting leads to a dialog, and words find things. */

import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { pressUntil } from '../support/press'

const patience = { timeout: 40_000 }

async function openPalette(page: Page): Promise<Locator> {
  await pressUntil(page, 'Control+k', page.getByRole('combobox', { name: /^Search servers/ }))
  return page.getByRole('option', { selected: true })
}

/** Opens the palette, types, and presses Enter once the first result is called `name`. */
async function choose(page: Page, words: string, name: string): Promise<void> {
  const active = await openPalette(page)
  await page.keyboard.type(words)
  await expect.poll(() => active.innerText(), patience).toContain(name)
  await page.keyboard.press('Enter')
}

test('on a server its own actions are first; deleting asks; invitations, passkeys and failures are found by word', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, url } = visit
  for (const server of upstream.model.servers.values()) Object.assign(server, { state: 'ready', listed: { ip: '192.0.2.10' } })
  await page.goto(`${new URL(url).origin}/servers`)
  await page.getByText('192.0.2.10').first().waitFor(patience)
  await page.goto(url)
  const active = await openPalette(page)
  await expect.poll(() => active.innerText(), patience).toContain('Add cron job')
  expect((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations.map(({ id }) => id)).toEqual([])
  await page.keyboard.press('Escape')

  await choose(page, 'delete', 'Delete server')
  const dialog = page.getByRole('dialog', { name: /^Delete/ })
  await dialog.waitFor(patience)
  expect(upstream.callsTo('GET', `${visit.path}/delete`)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await choose(page, 'invite', 'Invite member')
  await page.getByRole('dialog', { name: 'Invite member' }).waitFor(patience)
  await page.keyboard.press('Escape')
  await choose(page, 'passkey', 'Passkeys')
  await page.waitForURL('**/account#passkeys')
  await expect
    .poll(() => page.getByRole('region', { name: 'Passkeys' }).evaluate((part) => part.getBoundingClientRect().top < innerHeight), patience)
    .toBe(true)
  await choose(page, 'failed', 'Failed jobs')
  await page.waitForURL('**/jobs?outcome=failed')
  await choose(page, '192.0.2.10', 'foreign-01')
  await page.waitForURL(url)
  await choose(page, 'last night', 'Jobs of last night')
  await page.waitForURL(/\/jobs\?from=[\d-]{10}&to=[\d-]{10}$/)

  // Its own recent server is not among what somebody finds who may not see it any more.
  upstream.model.servers.clear()
  await page.goto(`${new URL(url).origin}/servers`)
  await page.getByText('No servers yet').waitFor(patience)
  await openPalette(page)
  await page.getByRole('option', { name: 'Home' }).waitFor(patience)
  expect(await page.getByRole('option', { name: 'foreign-01' }).count()).toBe(0)
  expect(visit.visitor.complaints).toEqual([])
})

test('an open menu is in a landmark', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page } = visit
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menu').waitFor(patience)
  const found = await new AxeBuilder({ page }).withRules(['region']).analyze()
  expect(found.violations.flatMap(({ nodes }) => nodes.map(({ target }) => target.join(' ')))).toEqual([])
})
