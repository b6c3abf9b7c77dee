/** The mail queue, logs and backups of a server: pages of one sandbox server. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { pressUntil } from '../support/press'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page
let id: string
beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '')
  id = await addSandbox(page, gatehouse.url, 'harbour-01')
})
afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.[Symbol.asyncDispose]()
  place?.[Symbol.dispose]()
})

/** Opens a page by its tab, as users do. */
async function openTab(name: string, path: string): Promise<void> {
  await page.goto(`${gatehouse.url}/servers/${id}`)
  await page.getByRole('navigation', { name: 'Pages of harbour-01' }).getByRole('link', { name }).click()
  await page.waitForURL(`**/servers/${id}/${path}`)
}

const dialog = () => page.getByRole('dialog')

/** Types the requested text and submits. */
async function confirmWith(typed: string, button: string): Promise<void> {
  await dialog().getByLabel(`Type ${typed} to confirm`).fill(typed)
  await dialog().getByRole('button', { name: button }).click()
  await dialog().waitFor({ state: 'detached' })
}

test('the mail queue requires an install, is then listed, filtered and grouped, and is emptied by typing the number', async () => {
  await openTab('Mail', 'mail')
  await page.getByText('Postfix is not installed on this server').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByRole('button', { name: 'Install' }).click()
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await pressUntil(page, 'Control+k', page.getByRole('combobox'))
  await page.keyboard.type('mail harb')
  await page.getByRole('option', { name: 'Mail queue of harbour-01' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/servers/${id}/mail`)

  const rows = page.getByRole('table', { name: 'Queued messages' }).locator('tbody tr')
  await rows.first().waitFor()
  const all = await rows.count()
  expect(all).toBeGreaterThan(8)
  await rows.filter({ hasText: 'orders@lanternworks.example, archive@lanternworks.example' }).first().waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  // The filter limits what "all" means, and is in the address.
  await page.getByLabel('Filter messages').fill('oakline')
  await expect.poll(() => rows.count()).toBeLessThan(all)
  const matching = await rows.count()
  expect(new URL(page.url()).search).toBe('?q=oakline')
  await page.getByRole('button', { name: 'Select all matching' }).click()
  await page.getByLabel('Filter messages').fill('no such words')
  await page.getByRole('heading', { name: 'No matching messages' }).waitFor()
  await page.getByText(`(${matching} hidden by the filter)`).waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  await expect.poll(() => rows.count()).toBe(all)

  // Only the typed number deletes, and only the selected rows.
  await page.getByRole('button', { name: `Delete ${matching} messages` }).click()
  await dialog().getByText('contact@oakline.example').first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(
    await dialog()
      .getByRole('button', { name: `Delete ${matching} messages` })
      .isDisabled(),
  ).toBe(true)
  await page.keyboard.press('Escape')
  expect(await rows.count()).toBe(all)
  await page.getByRole('button', { name: `Delete ${matching} messages` }).click()
  await confirmWith(String(matching), `Delete ${matching} messages`)
  await expect.poll(() => rows.count()).toBe(all - matching)
  expect(await rows.filter({ hasText: 'oakline' }).count()).toBe(0)

  // Per sender, by keyboard: one checkbox selects all messages of a sender.
  await page.getByRole('button', { name: 'Group by sender' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('button', { name: 'Bounces (no sender)' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => rows.count()).toBeGreaterThan(3)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Select all from Bounces (no sender)' }).check()
  await page.getByRole('button', { name: /^Delete \d+ messages?$/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all matching' }).check()
  const rest = all - matching
  await page.getByRole('button', { name: `Delete ${rest} messages` }).click()
  await confirmWith(String(rest), `Delete ${rest} messages`)
  await page.getByRole('heading', { name: 'The mail queue is empty' }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('a log is followed without moving while it is read, searched, filtered, linked to by line, and downloaded', async () => {
  await openTab('Logs', 'logs')
  const log = page.getByRole('region', { name: 'Log Sign-ins (auth)' })
  await log.getByText('sshd[').first().waitFor()
  const newest = async () => Number(await log.locator('[data-index] button').last().textContent())
  const before = await newest()
  await expect.poll(newest).toBeGreaterThan(before)
  expect(await faultsInAllLooks(page)).toEqual([])

  // A reader who scrolls up is not moved while lines arrive, and sees their number.
  await log.hover()
  await page.mouse.wheel(0, -600)
  await page.getByRole('button', { name: /^Jump to latest/ }).waitFor()
  const top = () => log.evaluate((box) => box.scrollTop)
  const there = await top()
  await page.getByRole('button', { name: /^Jump to latest \(\d+ new\)$/ }).waitFor()
  expect(await top()).toBe(there)
  await page.getByRole('button', { name: /^Jump to latest/ }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Jump to latest/ }).count()).toBe(0)

  await page.getByLabel('Search this log').fill('INVALID user')
  await page.getByText(/^\d+ found$/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(/^1 of \d+$/).waitFor()
  await log.locator('[data-current] mark', { hasText: 'Invalid user' }).waitFor()
  await page.keyboard.press('Shift+Enter')
  await page.getByText(/^(\d+) of \1$/).waitFor()
  await page.getByRole('button', { name: 'Matches only' }).click()
  await expect.poll(() => log.getByText('Accepted publickey').count()).toBe(0)
  const marked = await log.locator('[data-current]').innerText()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^harbour-01-auth-\d{14}\.log$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(
    text
      .split('\n')
      .slice(0, -1)
      .every((line) => line.includes('Invalid user')),
  ).toBe(true)

  // The link opens the same line in another window, identified by its text.
  await page.getByRole('button', { name: 'Copy link to line' }).click()
  await page.getByText(/The link to/).waitFor()
  const other = await visitor.context.newPage()
  await other.goto(page.url())
  const lineThere = other.locator('[data-current]')
  await lineThere.waitFor()
  const plain = (line: string) => line.replace(/^\d+\s+/, '')
  expect(plain(await lineThere.innerText())).toBe(plain(marked))
  await other.goto(page.url().replace(/line=[^&]+/, 'line=gone.gone'))
  await other.getByText('no longer in the last part of this log').waitFor()
  await other.close()

  // Colours are shown, and rows can be limited to one line.
  await page.getByLabel('Search this log').fill('')
  await page.getByRole('button', { name: 'Matches only' }).click()
  await page.getByRole('combobox', { name: 'Log' }).selectOption('journal')
  const journal = page.getByRole('region', { name: 'Log System journal (journal)' })
  await journal.locator('.text-terminal-yellow', { hasText: 'warn' }).first().waitFor()
  await page.getByRole('button', { name: 'Wrap' }).click()
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(new URL(page.url()).searchParams.get('log')).toBe('journal')
  expect(visitor.complaints).toEqual([])
})

test('lines do not overlap when the window becomes narrower', async () => {
  const words = 'a line that is longer than a phone is wide, and so takes several rows there'
  const lines = Array.from({ length: 200 }, (_, index) => `${index} ${words} ${words}\n`)
  await page.route('**/api/operations/logs.fetch*', (route) =>
    route.fulfill({ json: { ok: true, data: { content: lines.join(''), logs: ['auth'] } } }),
  )
  await page.setViewportSize({ width: 1366, height: 860 })
  await page.goto(`${gatehouse.url}/servers/${id}/logs`)
  const rows = page.getByRole('region', { name: 'Log Sign-ins (auth)' }).locator('[data-index]')
  await rows.first().waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  const overlaps = () =>
    rows.evaluateAll((elements) => {
      const boxes = elements.map((element) => element.getBoundingClientRect()).sort((a, b) => a.top - b.top)
      return boxes.filter((box, place) => box.height > 30 && (boxes[place + 1]?.top ?? Infinity) < box.bottom - 1).length
    })
  const tall = () => rows.evaluateAll((elements) => elements.filter((element) => element.getBoundingClientRect().height > 30).length)
  await expect.poll(tall).toBeGreaterThan(5)
  await expect.poll(overlaps).toBe(0)
  await page.setViewportSize({ width: 1366, height: 860 })
  await page.unrouteAll()
})

test('a flood of lines marks gaps, keeps 100,000 lines and renders few rows', async () => {
  let from = 0
  const flood = (count: number) => {
    const lines = Array.from({ length: count }, (_, index) => `line ${from + index} of the flood\n`)
    from += count
    return { ok: true, data: { content: lines.join(''), logs: ['auth'] } }
  }
  await page.route('**/api/operations/logs.fetch*', (route) => route.fulfill({ json: flood(60_000) }))
  await page.goto(`${gatehouse.url}/servers/${id}/logs`)
  const log = page.getByRole('region', { name: 'Log Sign-ins (auth)' })
  await page.getByText('100,000 lines').waitFor()
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByLabel('Search this log').fill(`line ${from - 60_000} of`)
  await page.getByText('1 found').waitFor()
  await page.keyboard.press('Enter')
  await log.getByText('Lines may be missing here').waitFor()
  expect(await log.locator('[data-index]').count()).toBeLessThan(400)
  await page.unrouteAll()
})

test('backups show age, size and verification, and are deleted by typing the number, after saying what remains', async () => {
  await openTab('Backups', 'backups')
  const rows = page.getByRole('table', { name: 'Backups' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(8)
  expect(await rows.filter({ hasText: 'Not verified' }).locator('td').nth(1).innerText()).toContain('before the move, by hand.tar.gz')
  await page.getByText(/^8 backups, [\d.]+ GB in total$/).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.getByRole('checkbox', { name: /^Select .*, before the move, by hand\.tar\.gz$/ }).check()
  await page.getByRole('button', { name: 'Delete 1 backup' }).click()
  await dialog().getByText('7 backups stay, the newest good one from').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await confirmWith('1', 'Delete 1 backup')
  await expect.poll(() => rows.count()).toBe(7)
  await page.getByText('The backup was deleted.').waitFor()

  await page.getByRole('checkbox', { name: 'Select all backups' }).check()
  await page.getByRole('button', { name: 'Delete 7 backups' }).click()
  await dialog().getByText('No backup remains').waitFor()
  await confirmWith('7', 'Delete 7 backups')
  await page.getByRole('heading', { name: 'No backups yet' }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(`${gatehouse.url}/activity`)
  await page
    .getByText(/^Deleted .*backup/)
    .first()
    .waitFor()
  expect(visitor.complaints).toEqual([])
})
