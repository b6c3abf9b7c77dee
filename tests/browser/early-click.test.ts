/** On a slow connection, a click on a button that opens a dialog counts although the code of the page is not there yet. */
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { lookInto } from '../support/portal-database'
import { type TeamVisit, visitTeam } from '../support/team-visit'

let visit: TeamVisit
let path: string

beforeAll(async () => {
  visit = await visitTeam()
  await visit.join('Gwen Okafor', 'guest')
  await using _ = lookInto(visit.place)
  path = `/team/${(await db().membership.findFirstOrThrow({ where: { role: 'guest' } })).userId}/access`
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
})

/** Opens a page without its scripts; what is returned lets them through. */
async function openWithoutScripts(page: Page, at = path): Promise<() => Promise<void>> {
  const held: Route[] = []
  let passes = false
  await page.route(/\/_next\/static\/.*\.js/, (route) => (passes ? route.continue() : void held.push(route)))
  await page.goto(`${visit.gatehouse.url}${at}`, { waitUntil: 'commit' })
  return async () => {
    passes = true
    await Promise.all(held.map((route) => route.continue()))
  }
}

test('a button that was clicked before the scripts came says that it waits, and opens its dialog once they are there', async () => {
  const { page } = visit
  const letThrough = await openWithoutScripts(page)
  const add = page.getByRole('button', { name: 'Add access' })
  await add.click()
  expect(await add.evaluate((button) => getComputedStyle(button).opacity)).toBe('0.6')
  await letThrough()
  const dialog = page.getByRole('dialog', { name: 'Add access' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await add.evaluate((button) => getComputedStyle(button).opacity)).toBe('1')
})

test('an early click on Invite member opens its form, and closing what follows returns the focus to the button', async () => {
  const { page } = visit
  const letThrough = await openWithoutScripts(page, '/team')
  const invite = page.getByRole('button', { name: 'Invite member' })
  await invite.click()
  await letThrough()
  const dialog = page.getByRole('dialog', { name: 'Invite member' })
  await dialog.getByLabel('Email').fill('early@northwind.test')
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => invite.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('only the button that was clicked last counts, and none after a click elsewhere', async () => {
  const { page } = visit
  const letThrough = await openWithoutScripts(page)
  const add = page.getByRole('button', { name: 'Add access' })
  await add.click()
  await page.getByRole('heading', { name: 'Access', exact: true }).click()
  await letThrough()
  // The scripts are there once the page answers a key.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+k')
      return page.getByRole('dialog').count()
    })
    .toBe(1)
  expect(await page.getByRole('dialog', { name: 'Add access' }).count()).toBe(0)
})
