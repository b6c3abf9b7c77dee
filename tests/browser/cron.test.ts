/** Cron jobs on their page: added, changed, deleted, and each change undone. */
import { expect, test } from 'vitest'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { pressUntil } from '../support/press'
import { visitSandbox } from '../support/sandbox-visit'

test('a job is added by keyboard, described in words with its next runs, changed and deleted, and every step is undone', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { visitor, page, id } = visit
  await page.getByRole('navigation', { name: 'Pages of harbour-01' }).getByRole('link', { name: 'Cron' }).click()
  await page.waitForURL('**/cron')
  await page.getByRole('navigation', { name: 'Pages of harbour-01' }).getByRole('link', { name: 'Overview' }).click()
  await page.waitForURL(`**/servers/${id}`)
  await pressUntil(page, 'Control+k', page.getByRole('combobox'))
  await page.keyboard.type('cron harb')
  await page.getByRole('option', { name: 'Cron jobs of harbour-01' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/servers/${id}/cron`)
  await page.getByRole('heading', { name: 'No cron jobs yet' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  const dialog = page.getByRole('dialog')
  const rows = page.getByRole('table', { name: 'Cron jobs' }).locator('tbody tr')
  const row = (text: string) => rows.filter({ hasText: text })
  const shows = (...texts: string[]) =>
    expect.poll(async () => (await rows.locator('td[data-main] > span:first-child').allTextContents()).sort()).toEqual(texts.sort())

  // A pasted line is split into the fields; an error of cron appears next to the field, and the input stays.
  await page.getByRole('button', { name: 'Add job' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Paste a cron line').fill('0 0 13 * fri /usr/local/bin/report --day "$(date +\\%F)"')
  await dialog.getByText('on every day that matches either of them').waitFor()
  expect(await dialog.locator('ol li').count()).toBe(5)
  expect(await dialog.getByLabel('Command').inputValue()).toBe('/usr/local/bin/report --day "$(date +%F)"')
  await dialog.getByLabel('Hour').fill('24')
  await dialog.getByRole('status').getByText('Enter an hour from 0 to 23').waitFor()
  await dialog.getByLabel('Command').press('Enter')
  await dialog.getByText('Hour: Cron rejects this: bad hour.').waitFor()
  expect(await dialog.getByLabel('Weekday').inputValue()).toBe('fri')
  // Esc closes the list of a menu, and not the dialog around it.
  const often = dialog.getByLabel('How often')
  const isOpen = () => often.evaluate((menu) => menu.matches(':open'))
  await often.click()
  await expect.poll(isOpen).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(isOpen).toBe(false)
  expect(await dialog.isVisible()).toBe(true)
  await dialog.getByLabel('How often').selectOption('Every day at 04:30')
  await dialog.getByText('Every day at 04:30', { exact: true }).last().waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 1366, height: 900 })
  await dialog.getByLabel('Command').press('Enter')
  await shows('Every day at 04:30')
  await row('report').locator('code:visible', { hasText: '/usr/local/bin/report --day "$(date +%F)"' }).waitFor()

  // Undo of saving deletes, undo of deleting saves, undo of changing does both.
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: 'No cron jobs yet' }).waitFor()
  await page.getByRole('button', { name: 'Add job' }).click()
  await dialog.getByLabel('Command').fill('nightly')
  await dialog.getByRole('button', { name: 'Add job' }).click()
  await shows('Every day at 04:30')
  await page.getByRole('button', { name: /^Actions for Every day at 04:30/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'No cron jobs yet' }).waitFor()
  await page.getByText('The job was deleted.').locator('..').getByRole('button', { name: 'Undo' }).click()
  await shows('Every day at 04:30')
  await page.getByRole('button', { name: /^Edit Every day/ }).click()
  await dialog.getByLabel('How often').selectOption('Every hour')
  await dialog.getByRole('button', { name: 'Save job' }).click()
  await shows('Every hour')
  await page.getByText('The job was changed.').locator('..').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The old job was restored.').waitFor()
  await shows('Every day at 04:30')

  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await dialog.getByText('This job already exists.').waitFor()
  await dialog.getByLabel('Command').fill('x'.repeat(300))
  await dialog.getByLabel('How often').selectOption('When the server starts')
  await dialog.getByRole('button', { name: 'Add job' }).click()
  await shows('Every day at 04:30', 'When the server starts')
  expect(await faultsInAllLooks(page)).toEqual([])

  // A list that can no longer be read stays, with an error and its age.
  await page.route('**/api/operations/cron.list*', (route) =>
    route.fulfill({
      status: 502,
      json: { ok: false, problem: { code: 'unreachable', sentence: 'The server cannot be reached at that address.' } },
    }),
  )
  // Returning to a page reads again, but not every time.
  await expect
    .poll(() =>
      page
        .evaluate("dispatchEvent(new Event('focus'))")
        .then(() => page.getByText('The server cannot be reached at that address.').count()),
    )
    .toBe(1)
  await shows('Every day at 04:30', 'When the server starts')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => page.getByText('The server cannot be reached').count()).toBe(0)
  expect(visitor.complaints).toEqual([])
})
