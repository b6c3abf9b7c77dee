/** System users on their page: created with a password that is shown once, given a new one, deleted by their name. */
import { expect, test } from 'vitest'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { pressUntil } from '../support/press'
import { visitSandbox } from '../support/sandbox-visit'

test('a system user is added by keyboard, its password is shown once and changed, and it is deleted by its typed name', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { visitor, page, id } = visit
  await pressUntil(page, 'Control+k', page.getByRole('combobox'))
  await page.keyboard.type('accounts harb')
  await page.getByRole('option', { name: 'System users of harbour-01' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/servers/${id}/users`)
  const tabs = page.getByRole('navigation', { name: 'Pages of harbour-01' })
  expect(await tabs.getByRole('link', { name: 'Users' }).getAttribute('aria-current')).toBe('page')
  const rows = page.getByRole('table', { name: 'Users' }).locator('tbody tr')
  const shows = (...names: string[]) =>
    expect.poll(async () => (await rows.locator('td:first-child > span:first-child').allTextContents()).sort()).toEqual(names.sort())
  const dialog = page.getByRole('dialog')
  await page.getByRole('heading', { name: 'No users yet' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByText('System accounts and Gatehouse (1)').click()
  await page.getByText('Gatehouse manages the server as this user').waitFor()
  expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)

  // A refusal of the server appears next to its field, and the input stays.
  await page.getByRole('button', { name: 'Add user' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Name').fill('Anna K')
  const made = await dialog.getByLabel('Password').inputValue()
  expect(made).toMatch(/^\w{20}$/)
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter the name of a system user').waitFor()
  expect(await dialog.getByLabel('Password').inputValue()).toBe(made)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 1366, height: 900 })
  await dialog.getByRole('button', { name: 'Generate another' }).click()
  expect(await dialog.getByLabel('Password').inputValue()).not.toBe(made)
  const pass = await dialog.getByLabel('Password').inputValue()
  await dialog.getByLabel('Name').fill('root')
  await dialog.getByText('There is already a user root.').waitFor()
  await dialog.getByLabel('Name').fill('anna')
  await dialog.getByLabel('Name').press('Enter')
  await dialog.getByText('anna was added').waitFor()
  expect(await dialog.locator('code').textContent()).toBe(pass)
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await shows('anna')
  expect(await page.content()).not.toContain(pass)

  await page.getByRole('button', { name: 'Set the password of anna' }).click()
  await dialog.getByLabel('Password').fill('short')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByText('Password is too short.').waitFor()
  await dialog.getByLabel('Password').fill('zażółć "gęślą" jaźń')
  await dialog.getByRole('button', { name: 'Set password' }).click()
  await dialog.getByText('The password of anna was set').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await shows('anna')

  for (const name of ['busy-bee', `x${'y'.repeat(31)}`]) {
    await page.getByRole('button', { name: 'Add user' }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Add user' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  expect(await faultsInAllLooks(page)).toEqual([])

  const deletes = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete user' }).click()
    const button = dialog.getByRole('button', { name: 'Delete user' })
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name)
    await button.click()
  }
  await deletes('busy-bee')
  await dialog.getByText('busy-bee is logged in or runs programs: bash.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await deletes('anna')
  await page.getByText('anna was deleted.').waitFor()
  await shows('busy-bee', `x${'y'.repeat(31)}`)

  // After the portal was unreachable, the list shows whether a change was made; the page does not guess.
  await page.route('**/servers/*/users', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.getByRole('button', { name: 'Add user' }).click()
  await dialog.getByLabel('Name').fill('carla')
  await dialog.getByRole('button', { name: 'Add user' }).click()
  await dialog.getByText('didn’t respond').waitFor()
  await page.unrouteAll()
  await page.keyboard.press('Escape')
  await shows('busy-bee', `x${'y'.repeat(31)}`)
  expect(visitor.complaints).toEqual([])
})
