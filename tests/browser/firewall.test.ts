/** The firewall on its page: switched, rules added and deleted, each step taken back, and nobody locked out. */
import { expect, test } from 'vitest'
import { faultsOf } from '../support/page-faults'
import { pressUntil } from '../support/press'
import { visitSandbox } from '../support/sandbox-visit'

test('a rule is added by keys, said in words, deleted and put back to its place; the switch asks for a way in first', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { visitor, page, id } = visit
  await pressUntil(page, 'Control+k', page.getByRole('combobox'))
  await page.keyboard.type('ports harb')
  await page.getByRole('option', { name: 'Firewall of harbour-01' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/servers/${id}/firewall`)
  await page.getByRole('heading', { name: 'No rules yet' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  const dialog = page.getByRole('dialog')
  const gate = page.getByRole('switch', { name: 'Firewall' })
  const rows = page.getByRole('table', { name: 'Firewall rules' }).locator('tbody tr')
  const shows = (...texts: string[]) =>
    expect.poll(() => rows.locator('td:first-child > span:first-child').allTextContents()).toEqual(texts)
  const undo = (says: string) => page.getByText(says).locator('..').getByRole('button', { name: 'Undo' }).click()
  const isOn = (on: boolean) => expect.poll(() => gate.getAttribute('aria-checked')).toBe(String(on))
  const add = async (fields: Partial<Record<'Port' | 'From', string>>, choices: Record<string, string> = {}) => {
    await page.getByRole('button', { name: 'Add rule' }).click()
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value)
    for (const [label, value] of Object.entries(choices)) await dialog.getByLabel(label).selectOption(value)
    await dialog.getByRole('button', { name: 'Add rule' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  // Switched on without a way in it would be off again by itself: the page says so first, and the server holds to it.
  await page.getByText('No rule lets SSH in on port 22.').waitFor()
  await gate.click()
  await page.getByText('could not have logged in to the server again').waitFor()
  await isOn(false)
  await page.getByRole('button', { name: 'Let SSH in' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('Lets in SSH from everywhere.').waitFor()
  await dialog.getByLabel('Port').fill('22,x')
  await dialog.getByText('Fill in the port').waitFor()
  await dialog.getByLabel('Port').press('Enter')
  await dialog.getByText('Give a port from 1 to 65535').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 1366, height: 900 })
  await dialog.getByLabel('What for').selectOption('SSH')
  await dialog.getByLabel('Port').press('Enter')
  await shows('Lets in SSH from everywhere')
  expect(await page.getByText('No rule lets SSH in').count()).toBe(0)
  await gate.focus()
  await page.keyboard.press('Space')
  await isOn(true)
  await page.getByText('Only what the rules below let in reaches harbour-01.').waitFor()

  // Saving is undone by deleting, deleting by saving: both halves return to where they stood.
  await add({})
  await shows('Lets in SSH from everywhere', 'Lets in HTTP and HTTPS from everywhere')
  await add({ Port: '5432', From: '10.0.0.0/8' })
  await undo('Added: Lets in PostgreSQL from 10.0.0.0/8.')
  await page.getByText('The rule was taken out again.').waitFor()
  await add({ Port: '443' })
  await page.getByText('Does nothing: “Lets in HTTP and HTTPS from everywhere” above does it already.').waitFor()
  await page.getByRole('button', { name: 'Delete: Lets in HTTP and HTTPS from everywhere' }).click()
  await shows('Lets in SSH from everywhere', 'Lets in HTTPS from everywhere')
  await undo('Deleted: Lets in HTTP and HTTPS from everywhere.')
  await shows('Lets in SSH from everywhere', 'Lets in HTTP and HTTPS from everywhere', 'Lets in HTTPS from everywhere')
  await add({ Port: 'any', From: '2001:db8::/32' }, { 'What happens': 'deny', Protocol: 'any' })
  await page.getByText('For IPv6 only.').waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByText('This very rule is there already.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true)
  await dialog.getByLabel('What happens').selectOption('deny')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByText('There is a rule for the same traffic that says allow.').waitFor()
  await page.keyboard.press('Escape')

  // The one that lets us in is not deleted by the way; deleted all the same, it comes back by itself.
  await page.getByRole('button', { name: 'Delete: Lets in SSH from everywhere' }).click()
  await dialog.getByText('No other rule lets SSH in').waitFor()
  await dialog.getByRole('button', { name: 'Delete rule' }).click()
  await page.getByText('could not have logged in to the server again').last().waitFor()
  expect(await rows.first().locator('td').first().textContent()).toContain('Lets in SSH from everywhere')
  const looks = [
    [1366, 'light'],
    [390, 'dark'],
  ] as const
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    expect(await faultsOf(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1366, height: 900 })
  await gate.click()
  await isOn(false)
  await undo('The firewall is off.')
  await isOn(true)
  expect(visitor.complaints).toEqual([])
})
