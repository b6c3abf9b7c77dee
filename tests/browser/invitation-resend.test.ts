/** An invitation resent when the sign-in is no longer recent: the password is asked for first, and only then the old link is dead. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owner } from '../support/first-steps'
import { faultsInAllLooks } from '../support/page-faults'
import { letSignInsAge } from '../support/place-database'
import { type TeamVisit, visitTeam } from '../support/team-visit'

let visit: TeamVisit

beforeAll(async () => {
  visit = await visitTeam()
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
})

const hasForm = async (page: Page, link: string): Promise<boolean> => {
  await page.goto(link)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return (await page.getByLabel('Your name').count()) === 1
}

async function resend(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions for grace@northwind.test' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Resend' }).press('Enter')
}

test('security 21: resending asks for the password; cancelled it changes nothing, then the new link counts', async () => {
  const { page, visitor, gatehouse, place } = visit
  const first = await visit.owner.invite('grace@northwind.test', 'operator')
  await letSignInsAge(place)
  await page.goto(`${gatehouse.url}/team`)
  await resend(page)
  const dialog = page.getByRole('dialog', { name: 'Confirm your password to continue' })
  await dialog.waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const guest = await visitor.another()
  expect(await hasForm(guest, first)).toBe(true)
  await resend(page)
  await dialog.getByLabel('Your password').fill('not my password')
  await page.keyboard.press('Enter')
  await dialog.getByText(/wrong/i).waitFor()
  expect(await hasForm(guest, first)).toBe(true)
  await dialog.getByLabel('Your password').fill(owner.password)
  await page.keyboard.press('Enter')
  const copy = page.getByRole('dialog', { name: 'Copy the invitation link' })
  const second = (await copy.locator('pre').textContent()) ?? ''
  await copy.getByRole('button', { name: 'Done' }).press('Enter')
  await expect
    .poll(() => page.getByRole('button', { name: 'Actions for grace@northwind.test' }).evaluate((button) => button.matches(':focus')))
    .toBe(true)
  expect(await hasForm(guest, first)).toBe(false)
  expect(await hasForm(guest, second)).toBe(true)
})
