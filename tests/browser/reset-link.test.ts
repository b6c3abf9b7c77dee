/** A forgotten password where Gatehouse sends no mail: an admin makes a one-time link on the page Team, never for an owner. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForBell } from '../support/bell'
import { faultsInAllLooks } from '../support/page-faults'
import { findStored } from '../support/stored-secrets'
import { type Member, type TeamVisit, visitTeam } from '../support/team-visit'

let visit: TeamVisit
let ada: Page
let robin: Member

beforeAll(async () => {
  visit = await visitTeam()
  ada = (await visit.join('Ada Byron', 'admin')).page
  robin = await visit.join('Robin Ekholm', 'operator')
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
})

/** The items of a member's menu, which stays open. */
async function openMenu(name: string): Promise<string[]> {
  await ada.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
  await ada.getByRole('menu').waitFor()
  return ada.getByRole('menuitem').allTextContents()
}

test('the page of a forgotten password names the admins; their menu of an owner offers no reset', async () => {
  const stranger = await visit.visitor.another()
  await stranger.goto(`${visit.gatehouse.url}/forgot`)
  await stranger.getByText('Ask an admin of your team for a reset link').waitFor()
  expect(await stranger.getByRole('textbox').count()).toBe(0)
  expect(await faultsInAllLooks(stranger)).toEqual([])
  await ada.goto(`${visit.gatehouse.url}/team`)
  expect(await openMenu('Mira Lindqvist')).toEqual(['Access', 'Keys and traces'])
  await ada.getByText('Only an owner can change an owner.').waitFor()
  await ada.keyboard.press('Escape')
})

test('security 16: the link of an admin sets a new password; the old browser is signed out, and member and owner are notified', async () => {
  await robin.page.goto(`${visit.gatehouse.url}/servers`)
  expect(await openMenu('Robin Ekholm')).toContain('Reset password')
  await ada.getByRole('menuitem', { name: 'Reset password' }).press('Enter')
  await ada.getByRole('button', { name: 'Create link' }).press('Enter')
  const dialog = ada.getByRole('dialog', { name: 'Copy the reset link' })
  const link = (await dialog.locator('pre').textContent()) ?? ''
  expect(await faultsInAllLooks(ada)).toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  expect(findStored(visit.place, { link: new URL(link).searchParams.get('token') ?? '' })).toEqual([])
  const elsewhere = await visit.visitor.another()
  await elsewhere.goto(link)
  await elsewhere.getByLabel('New password').fill('five storks above the weir')
  await elsewhere.keyboard.press('Enter')
  await elsewhere.waitForURL(({ pathname }) => pathname === '/')
  await robin.page.getByRole('link', { name: 'Jobs' }).first().click()
  await robin.page.waitForURL('**/sign-in?**')
  await elsewhere.goto(link)
  await elsewhere.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  const words = /The password of Robin Ekholm was reset with a link from Ada Byron\./
  for (const told of [elsewhere, visit.page]) {
    await told.goto(`${visit.gatehouse.url}/servers`)
    await waitForBell(told, words)
  }
})
