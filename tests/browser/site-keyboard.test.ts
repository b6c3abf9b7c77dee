/** The pages of a site with only the keyboard: the focus is never lost, whatever is removed, replaced or disabled meanwhile. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { pressUntil } from '../support/press'

const patience = { timeout: 60_000 }

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement).catch(() => false)

/** Presses Tab until the target has the focus; fails if it is never reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor(patience)
  for (let presses = 0; presses < 150; presses += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${String(target)}.`)
}

async function pressIn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

const gets = (target: Locator) => expect.poll(() => isFocused(target), patience).toBe(true)

test('a site is created, gets aliases, loses one, gets it back, switches SSL and is deleted, without a mouse', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, visitor } = visit
  for (const server of upstream.model.servers.values()) server.state = 'ready'
  upstream.model.siteLines = { steps: ['certificate'], msPerLine: 300 }
  const { origin } = new URL(visit.url)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  // The server is listed as ready.
  await expect
    .poll(async () => {
      await page.goto(`${origin}/servers`)
      await page.goto(`${origin}/sites/new`)
      return page.getByLabel('Domain').count()
    }, patience)
    .toBe(1)

  await tabTo(page, page.getByLabel('Domain'))
  await page.keyboard.type('keys.example')
  await page.keyboard.press('Enter')
  await page.getByText('Copy the password now').waitFor(patience)
  expect(await page.evaluate('document.activeElement?.id')).toBe('content')
  await page.getByText('keys.example was created.').waitFor(patience)
  await pressIn(page, button('I have copied it'))
  await pressIn(page, link('Aliases'))

  const field = page.getByLabel('Add aliases')
  await tabTo(page, field)
  await page.keyboard.insertText('one.example two.example')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Outcome' }).getByText('Added').nth(1).waitFor(patience)
  await gets(field)

  // The row that takes the place of the removed one gets the focus.
  await pressIn(page, button('Remove one.example'))
  await expect.poll(() => page.getByRole('row', { name: /one\.example/ }).count(), patience).toBe(0)
  await gets(button('Remove two.example'))
  await page.keyboard.press('Alt+t')
  await pressIn(page, button('Undo'))
  await page.getByText('one.example was added again.').waitFor(patience)
  await page.getByRole('row', { name: /one\.example/ }).waitFor()

  await pressIn(page, link('SSL'))
  await pressIn(page, button('Turn on SSL'))
  await gets(button('Turn off SSL'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await pressIn(page, dialog.getByRole('button', { name: 'Turn off' }))
  await gets(button('Turn on SSL'))

  await pressIn(page, link('Email'))
  await pressIn(page, button('Turn on email'))
  await gets(button('Turn off email'))
  await pressIn(page, button('Add address'))
  await gets(dialog.getByLabel('Name'))
  await page.keyboard.press('Escape')
  await gets(button('Add address'))

  await pressIn(page, link('Database'))
  await tabTo(page, button('Set password'))
  await pressUntil(page, 'Enter', dialog)
  await page.keyboard.press('Escape')
  await gets(button('Set password'))

  await pressIn(page, link('App'))
  await pressIn(page, button('Pull to staging'))
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await gets(button('Pull to staging'))

  await pressIn(page, link('Overview'))
  await pressIn(page, button('Delete site'))
  await gets(dialog.getByLabel('Type keys.example to confirm'))
  await page.keyboard.press('Escape')
  await gets(button('Delete site'))
  await page.keyboard.press('Enter')
  await gets(dialog.getByLabel('Type keys.example to confirm'))
  await page.keyboard.type('keys.example')
  await page.keyboard.press('Enter')
  await page.getByText('keys.example was deleted.').waitFor(patience)
  expect(visitor.complaints).toEqual([])
})

test('in the list of sites the focus alone selects nothing: Shift+Tab leads to the checkbox of the row, and Space or x selects it', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, visitor } = visit
  for (const name of ['first', 'second', 'third']) upstream.addSite({ domain: `${name}.example` })
  await page.goto(new URL('/sites', visit.url).href)
  const link = (name: string) => page.getByRole('link', { name: `${name}.example`, exact: true })
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}.example` })
  const bar = page.getByRole('region', { name: 'Selected sites' })
  await link('third').waitFor(patience)
  await tabTo(page, link('first'))
  await page.keyboard.press('ArrowDown')
  await gets(link('second'))
  for (const key of ['Shift+Tab', 'Shift+Tab', 'Tab', 'Tab', 'Shift+Tab']) await page.keyboard.press(key)
  await gets(box('second'))
  expect([await page.locator('main tbody input:checked').count(), await bar.count()]).toEqual([0, 0])
  await page.keyboard.press('Space')
  await bar.getByText('1 site selected').waitFor(patience)
  expect(await box('second').isChecked()).toBe(true)
  await page.keyboard.press('ArrowDown')
  await gets(link('third'))
  await page.keyboard.press('x')
  await bar.getByText('2 sites selected').waitFor(patience)
  expect(await box('first').isChecked()).toBe(false)
  expect(visitor.complaints).toEqual([])
})
