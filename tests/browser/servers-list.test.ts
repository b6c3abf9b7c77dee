/** The list of thousands in a real browser: searched, sorted, selected, labelled and exported, by mouse and by keyboard. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, expect, test } from 'vitest'
import { openChromium } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { makeStartedPlace, startGatehouse } from '../support/gatehouse-process'

const run = promisify(execFile)

const place = await makeStartedPlace()
const gatehouse = await startGatehouse(place)
const visitor = await openChromium()
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await gatehouse[Symbol.asyncDispose]()
  place[Symbol.dispose]()
})

const { page } = visitor
const rows = page.locator('tr[data-index]')
const search = page.getByLabel('Filter servers')
const figure = page.locator('main p[role=status]').first()
const selected = page.getByRole('region', { name: 'Selected servers' })
const nameAt = (index: number) => page.locator(`tr[data-index="${index}"] a`).innerText()
const focused = () => page.evaluate('document.activeElement?.closest("tr")?.dataset.index ?? null')

/** Waits until all rows are loaded: then the list can be exported. */
async function openList(query = ''): Promise<void> {
  await page.goto(`${gatehouse.url}/servers${query}`)
  await page.locator('main button:not([disabled])', { hasText: 'CSV' }).waitFor()
}

test('one button creates twelve sandbox servers, and a command adds thousands more', async () => {
  await createAccount(page, gatehouse.setupLink ?? '')
  await page.goto(`${gatehouse.url}/servers`)
  await page.getByRole('button', { name: 'Add 12 sandbox servers' }).click()
  await expect.poll(() => figure.innerText(), { timeout: 20_000 }).toBe('12 servers')
  for (const name of ['slow-web-osl-01', 'flaky-app-sgp-01', 'fail-mail-ber-01'])
    expect(await page.getByRole('link', { name }).count()).toBe(1)
  const { stdout } = await run('npm', ['run', '-s', 'sandbox:fill', '--', '2000'], { env: { ...process.env, ...place.env } })
  expect(stdout).toContain('2000 sandbox servers made')
  await openList()
  await expect.poll(() => figure.innerText(), { timeout: 40_000 }).toBe('2,012 servers')
})

test('with thousands of rows only those near the window are rendered, each with its row number', async () => {
  await openList()
  expect(await page.locator('table').getAttribute('aria-rowcount')).toBe('2013')
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1200)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.locator('tr[aria-rowindex="2013"]').waitFor()
  expect(await rows.count()).toBeLessThan(70)
  await page.evaluate('scrollTo(0, 0)')
  await page.locator('tr[aria-rowindex="2"]').waitFor()
})

test('search, filters and order are in the address: a copied address shows the same list, and Back reverts each', async () => {
  await openList()
  const steps = await page.evaluate('history.length')
  await search.pressSequentially('web fra', { delay: 20 })
  await page.waitForURL('**/servers?q=web+fra')
  expect(await page.evaluate('history.length')).toBe(steps)
  await page.getByRole('button', { name: 'State', exact: true }).first().click()
  await page.getByRole('menuitemcheckbox', { name: /^Reachable/ }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Hostname' }).click()
  await page.waitForURL('**/servers?q=web+fra&state=ready&sort=hostname')
  const [said, first] = [await figure.innerText(), await nameAt(0)]
  expect(said).toMatch(/^\d+ of 2,012 servers$/)
  const other = await visitor.context.newPage()
  await other.goto(page.url())
  await expect.poll(() => other.locator('main p[role=status]').first().innerText(), { timeout: 20_000 }).toBe(said)
  expect(await other.locator('tr[data-index="0"] a').innerText()).toBe(first)
  await other.close()
  await page.goBack()
  await page.waitForURL('**/servers?q=web+fra&state=ready')
  await page.goBack()
  await page.waitForURL('**/servers?q=web+fra')
  expect(await search.inputValue()).toBe('web fra')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => figure.innerText()).toBe('2,012 servers')
  expect(await search.inputValue()).toBe('')
})

test('Back returns to the same place and filter of a long list, and shows the rows that are there', async () => {
  await openList('?q=web')
  await page.mouse.wheel(0, 3000)
  await expect.poll(() => page.evaluate('scrollY')).toBe(3000)
  const row = page.locator('tr[data-index="81"] a')
  const name = await nameAt(81)
  await row.hover()
  const place = await page.evaluate('scrollY')
  await row.click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await expect.poll(() => page.evaluate('scrollY')).toBe(0)
  await page.goBack()
  await row.waitFor()
  await expect.poll(() => page.evaluate('scrollY')).toBe(place)
  expect(new URL(page.url()).search).toBe('?q=web')
  expect(await search.inputValue()).toBe('web')
})

test('rows are navigated and selected by keyboard, and Enter opens one', async () => {
  await openList('?q=db+fra')
  await search.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('2')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  expect(await selected.innerText()).toContain('3 servers selected')
  await page.keyboard.press('End')
  await page.keyboard.press('k')
  await page.keyboard.press('Home')
  expect(await focused()).toBe('0')
  await page.keyboard.press('Escape')
  await expect.poll(() => selected.count()).toBe(0)
  const name = await nameAt(0)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
})

test('all matching servers are selected at once, labelled, found by the label and exported as a file', async () => {
  await openList('?q=mail+osl')
  const box = (index: number) => page.locator(`tr[data-index="${index}"] input`)
  await box(1).click()
  await box(4).click({ modifiers: ['Shift'] })
  expect(await selected.innerText()).toContain('4 servers selected')
  await page.getByLabel('Select all that are shown').check()
  const count = Number((await figure.innerText()).split(' ')[0])
  expect(await selected.innerText()).toContain(`${count} servers selected`)
  await selected.getByRole('button', { name: 'Add label' }).click()
  await page.getByLabel('Label', { exact: true }).fill('Client: Northwind')
  await page.getByRole('dialog').getByRole('button', { name: 'Add label' }).click()
  await page.getByText(`Added the label “client: northwind” to ${count} servers.`).waitFor()
  await openList('?label=client%3A+northwind')
  expect(await figure.innerText()).toBe(`${count} of 2,012 servers`)
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('main').getByRole('button', { name: 'CSV' }).click()])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(count + 1)
  expect(lines.slice(1).every((line) => line.includes('mail') && line.includes('client: northwind'))).toBe(true)
  await page.locator('tr[data-index="0"] a').click()
  await page.getByRole('button', { name: 'Remove the label client: northwind' }).click()
  await page.getByText('Removed the label “client: northwind” from 1 server.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Remove the label client: northwind' }).waitFor()
})

test('on a phone rows are cards; no axe findings in either theme, with a selection, and no policy violations', async () => {
  await openList('?label=client%3A+northwind')
  await page.getByLabel('Select all that are shown').check()
  await selected.waitFor()
  for (const size of [
    { width: 1366, height: 860 },
    { width: 390, height: 844 },
  ]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      // Elements that are still fading in have too little contrast.
      await page.emulateMedia({ colorScheme })
      const fading = `document.getAnimations().filter(({ animationName }) => animationName === 'rise').length`
      await expect.poll(() => page.evaluate(fading), { timeout: 10_000 }).toBe(0)
      const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze()
      expect([size.width, colorScheme, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([size.width, colorScheme, []])
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
    }
  }
  expect(await page.locator('tr[data-index="0"] td').nth(3).isVisible()).toBe(false)
  // Rows that are not rendered leave a gap, which must not show hidden columns again.
  await openList('')
  const box = await page.locator('tr[data-index="0"] td').nth(2).boundingBox()
  expect(box?.width).toBeGreaterThan(250)
  expect(visitor.complaints).toEqual([])
})

test('names have room for about fifteen letters at every window width', async () => {
  await openList('')
  const name = page.getByRole('columnheader', { name: 'Name', exact: true })
  const widths = [390, 720, 768, 900, 1099, 1100, 1199, 1200, 1280, 1359, 1360, 1366]
  const narrow: [window: number, column: number][] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 })
    const column = (await name.boundingBox())?.width ?? 0
    if (column < 130) narrow.push([width, column])
  }
  expect(narrow).toEqual([])
})
