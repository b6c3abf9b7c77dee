/** A server's settings: its names, its hostname, the rotation of its SSH key, and its deletion. */
import { expect, test } from 'vitest'
import { owner } from '../support/first-steps'
import type { Place } from '../support/gatehouse-process'
import { faultsOf } from '../support/page-faults'
import { letSignInsAge, query } from '../support/place-database'
import { pressUntil } from '../support/press'
import { visitSandbox } from '../support/sandbox-visit'

/** From now on the simulated server shows another host key, as after a reinstall. */
const rekeyMachines = (place: Place) =>
  query(place, 'service', "UPDATE SandboxState SET model = json_set(model, '$.rekeyed', json('true'))")

test('names and hostname are changed, the SSH key is rotated also after a reinstall, and the server is deleted', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { place, visitor, page } = visit
  await page.getByRole('navigation', { name: 'Pages of harbour-01' }).getByRole('link', { name: 'Settings' }).click()
  await page.waitForURL('**/settings')
  const dialog = page.getByRole('dialog')

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1366, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 860 })
      expect(await faultsOf(page)).toEqual([])
    }
  await page.setViewportSize({ width: 1366, height: 860 })

  // The palette opens these dialogs, from elsewhere and from the page itself, without submitting them.
  await page.getByRole('navigation', { name: 'Pages of harbour-01' }).getByRole('link', { name: 'Logs' }).click()
  await page.waitForURL('**/logs')
  for (const [asks, begun] of [
    ['reset harb', dialog.getByText('The server presents its known host key.')],
    ['delete harb', dialog.getByLabel('Type harbour-01 to confirm')],
  ] as const) {
    await pressUntil(page, 'Control+k', page.getByRole('combobox'))
    await page.keyboard.type(asks)
    await page.getByRole('option').first().getByText('harbour-01').first().waitFor()
    await page.keyboard.press('Enter')
    await begun.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }

  // A refusal of the service appears next to the field, and the input stays.
  const hostname = page.getByRole('textbox', { name: 'Hostname' })
  await hostname.fill('web_1')
  await hostname.press('Enter')
  await page.getByText('Enter a name of letters, digits and hyphens').waitFor()
  expect(await hostname.inputValue()).toBe('web_1')
  await hostname.fill('Web-1.Example.org')
  await hostname.press('Enter')
  await page.getByText('Hostname changed to web-1.example.org.').waitFor()
  await page.getByRole('main').locator('.font-mono', { hasText: 'web-1.example.org' }).first().waitFor()

  // The SSH key is rotated with the known host key.
  await page.getByRole('button', { name: 'Rotate SSH key' }).click()
  await dialog.getByText('The server presents its known host key.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Password').fill('wrong')
  await dialog.getByLabel('Type harbour-01 to confirm').fill('harbour-01')
  await dialog.getByRole('button', { name: 'Rotate SSH key' }).click()
  await dialog.getByText('The simulated server refused the password.').waitFor()
  await dialog.getByLabel('Password').fill('right')
  await dialog.getByRole('button', { name: 'Rotate SSH key' }).click()
  await page.getByText('harbour-01 has a new SSH key.').waitFor()
  await dialog.waitFor({ state: 'detached' })

  // After a reinstall both host keys are shown, and the password of the portal is asked for again.
  await rekeyMachines(place)
  await letSignInsAge(place)
  const known = await page
    .getByText(/^SHA256:/)
    .first()
    .textContent()
  await page.getByRole('button', { name: 'Rotate SSH key' }).click()
  await dialog.getByText('The server’s host key has changed.').waitFor()
  const [before, shown] = await dialog.getByText(/^SHA256:/).allTextContents()
  expect(before).toBe(known)
  expect(shown).not.toBe(known)
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Password').fill('right')
  await dialog.getByLabel('Type harbour-01 to confirm').fill('harbour-01')
  await dialog.getByRole('button', { name: 'Rotate SSH key' }).click()
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByRole('button', { name: 'Rotate SSH key' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(String(shown)).waitFor()

  await letSignInsAge(place)
  await page.getByRole('button', { name: 'Delete server' }).click()
  await dialog.getByLabel('Type harbour-01 to confirm').fill('harbour-01')
  await dialog.getByRole('button', { name: 'Delete server' }).click()
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByRole('button', { name: 'Delete server' }).click()
  await page.waitForURL('**/servers')
  await page.getByText('harbour-01 was deleted from the list.').waitFor()
  expect(visitor.complaints).toEqual([])
})
