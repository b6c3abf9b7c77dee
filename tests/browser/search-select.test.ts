/** A field to search among hundreds of choices: the server of a new site, by keyboard, by mouse and on a narrow screen. */
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks, overflowOf } from '../support/page-faults'

const patience = { timeout: 40_000 }

const inside = async (list: Locator, width: number) => {
  const { x = -1, width: own = 0 } = (await list.boundingBox()) ?? {}
  return x >= 0 && x + own <= width
}

test('one of hundreds of servers is chosen for a new site by keyboard, stays chosen after a refusal, and is where the site is created', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream } = visit
  for (const server of upstream.model.servers.values()) server.state = 'ready'
  const long = `edge-${'frankfurt-'.repeat(5)}01`
  upstream.addServer({ name: long, state: 'ready', hostname: `${long}.example.net` })
  for (let index = 0; index < 300; index += 1)
    upstream.addServer({ name: `web-${String(index).padStart(3, '0')}`, state: 'ready', host: `198.51.100.${index % 250}` })
  const { origin } = new URL(visit.url)
  await page.goto(`${origin}/servers`)
  await page.getByText('302 servers').first().waitFor(patience)

  await page.goto(`${origin}/sites/new`)
  const field = page.getByRole('combobox', { name: 'Server' })
  const list = page.getByRole('listbox', { name: 'Choices' })
  const active = list.getByRole('option', { selected: true })
  await expect.poll(() => field.evaluate(({ tagName }) => tagName), patience).toBe('INPUT')
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await list.waitFor()
  expect(await list.getByRole('option').count()).toBe(200)
  await page.getByText('302 choices. Type to search all of them.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  const first = await active.innerText()
  await page.keyboard.press('End')
  await expect.poll(() => active.innerText()).not.toBe(first)
  await page.keyboard.press('Home')
  await expect.poll(() => active.innerText()).toBe(first)

  // Esc returns to what was chosen, Enter takes what is active, and the form is not sent by it.
  await page.keyboard.type('web-29')
  await expect.poll(() => active.innerText()).toContain('web-290')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe(first.split('\n')[0])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('web 29')
  await expect.poll(() => active.innerText()).toContain('web-290')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('web-291')
  expect(page.url()).toContain('/sites/new')

  // What was typed and not confirmed is taken by leaving the field.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('no such server')
  await page.getByText('No matches for “no such server”.').waitFor()
  await page.keyboard.press('Tab')
  expect(await field.inputValue()).toBe('web-291')
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('web-123')
  await page.keyboard.press('Tab')
  expect(await field.inputValue()).toBe('web-123')

  // 320 px: the list is inside the window, with a name longer than it.
  await page.setViewportSize({ width: 320, height: 640 })
  await field.click()
  await page.keyboard.type('edge')
  await expect.poll(() => active.innerText()).toContain(long)
  expect(await inside(list, 320)).toBe(true)
  expect(await overflowOf(page)).toEqual([])
  await active.click()
  expect(await field.inputValue()).toBe(long)
  await page.emulateMedia({ forcedColors: 'active' })
  await field.click()
  expect(await active.evaluate((option) => getComputedStyle(option).outlineStyle)).toBe('solid')
  await page.emulateMedia({ forcedColors: 'none' })
  await page.keyboard.type('web-123')
  await page.keyboard.press('Enter')

  await page.getByLabel('Domain').fill('')
  await page.getByRole('button', { name: 'Add site' }).click()
  await page.locator('[aria-invalid=true]').first().waitFor(patience)
  expect(await field.inputValue()).toBe('web-123')
  await page.getByLabel('Domain').fill('chosen.example')
  await page.getByRole('button', { name: 'Add site' }).click()
  await page.waitForURL('**/jobs/*', patience)
  const target = [...upstream.model.servers.values()].find(({ name }) => name === 'web-123')
  await expect.poll(() => upstream.callsTo('POST', '/sites/create').map(({ fields }) => fields.server), patience).toEqual([target?.id])
  expect(visit.visitor.complaints).toEqual([])
})

test('in a dialog Esc closes the list first, and a choice of hundreds is stored', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page } = visit
  const { origin } = new URL(visit.url)
  await page.goto(`${origin}/account`)
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await expect.poll(() => zone.evaluate(({ tagName }) => tagName), patience).toBe('INPUT')
  await zone.click()
  await page.keyboard.type('st johns')
  await page.getByRole('option', { name: 'America/St Johns' }).click()
  await page.getByText('in America/St Johns').waitFor(patience)
})
