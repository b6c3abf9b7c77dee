/** Members: invited, changed and removed, each in a browser of their own. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'

let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page
let ada: Page

beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  expect(visitor?.complaints).toEqual([])
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.stop()
  place?.[Symbol.dispose]()
})

const password = 'Drei Kraniche ziehen nach Süden'

/** Invites through the form that is open; the link is shown once. */
async function readLink(from: Page): Promise<string> {
  const link = await from.getByRole('dialog', { name: 'Copy the invitation link' }).locator('pre').textContent()
  await from.getByRole('button', { name: 'Done' }).click()
  return link ?? ''
}

test('an invited person sets name and password in another browser, and is listed', async () => {
  await page.goto(`${gatehouse.url}/team`)
  await page.getByRole('button', { name: 'Invite member' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite member' })
  await dialog.getByLabel('Email').fill('ada@northwind.test')
  await dialog.getByLabel('Role').selectOption('operator')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await readLink(page)
  await page.getByRole('table', { name: 'Pending invitations' }).getByText('ada@northwind.test').waitFor()
  ada = await visitor.another()
  await ada.goto(link)
  await ada.getByRole('heading', { name: 'Join Northwind Ops' }).waitFor()
  await ada.getByLabel('Your name').fill('Ada Byron')
  await ada.getByLabel('Password', { exact: true }).fill(password)
  await ada.getByRole('button', { name: 'Accept invitation' }).click()
  await ada.waitForURL(({ pathname }) => pathname === '/')
  await page.reload()
  await page.getByRole('table', { name: 'Members' }).getByText('Ada Byron').waitFor()
  expect(await page.getByRole('table', { name: 'Pending invitations' }).count()).toBe(0)
  await ada.goto(`${gatehouse.url}/team`)
  await ada.getByRole('table', { name: 'Members' }).getByText('Mira Lindqvist').waitFor()
  expect(await ada.getByRole('button', { name: /^(Invite member|Actions for .*)$/ }).count()).toBe(0)
  const again = await visitor.another()
  await again.goto(link)
  await again.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  await again.context().close()
})

const expectFocus = (element: Locator) => expect.poll(() => element.evaluate((each) => each.matches(':focus'))).toBe(true)

/** Opens the menu of an invitation; its first item then has the focus. */
async function openByKeyboard(actions: Locator): Promise<void> {
  await actions.focus()
  await page.keyboard.press('Enter')
  await expectFocus(page.getByRole('menuitem', { name: 'Resend' }))
}

/** Closes the dialog with the link. It gives the focus back once it is gone; so does the menu from which it was opened. */
async function leaveLink(): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Copy the invitation link' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

test('at 390 px the keyboard alone invites, resends and revokes', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${gatehouse.url}/team`)
  await page.getByRole('button', { name: 'Invite member' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Invite member' }).waitFor()
  await page.keyboard.type('grace@northwind.test')
  await page.keyboard.press('Enter')
  await leaveLink()
  await expectFocus(page.getByRole('button', { name: 'Invite member' }))
  const actions = page.getByRole('button', { name: 'Actions for grace@northwind.test' })
  await openByKeyboard(actions)
  await page.keyboard.press('Enter')
  await leaveLink()
  await expectFocus(actions)
  await openByKeyboard(actions)
  await page.keyboard.press('ArrowDown')
  await expectFocus(page.getByRole('menuitem', { name: 'Revoke' }))
  await page.keyboard.press('Enter')
  await page.getByText('The invitation of grace@northwind.test was revoked.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
})

/** Opens a member's menu and the dialog of one of its items. */
async function openDialog(item: string) {
  await page.getByRole('button', { name: 'Actions for Ada Byron' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  return page.getByRole('dialog')
}

test('a lowered role counts at the next click, and after a removal in the middle of a page the next click is the sign-in', async () => {
  await page.setViewportSize({ width: 1366, height: 900 })
  await page.goto(`${gatehouse.url}/team`)
  await ada.goto(`${gatehouse.url}/keys`)
  await ada.getByRole('link', { name: 'Add connection' }).first().waitFor()
  const role = await openDialog('Change role')
  await role.getByLabel('Role').selectOption('viewer')
  await role.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('The role of Ada Byron was changed.').waitFor()
  await ada.getByRole('link', { name: 'Team' }).first().click()
  await ada.getByText('your role: Viewer').waitFor()
  await ada.goto(`${gatehouse.url}/keys`)
  expect(await ada.getByRole('link', { name: 'Add connection' }).count()).toBe(0)
  const removal = await openDialog('Remove member')
  await removal.getByRole('button', { name: 'Remove member' }).click()
  await page.getByText('Ada Byron was removed from the team.').waitFor()
  await page.getByText('No longer a member').waitFor()
  await page.goto(`${gatehouse.url}/team`)
  const members = page.getByRole('table', { name: 'Members' })
  await members.waitFor()
  expect(await members.getByText('Ada Byron', { exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Ada Byron' }).waitFor()
  await ada.goto(`${gatehouse.url}/servers`)
  await ada.waitForURL('**/sign-in?**')
  const own = await openOwnMenu()
  expect(own).toContain('The team needs an owner.')
  expect(own).not.toContain('Leave team')
})

async function openOwnMenu(): Promise<string> {
  await page.getByRole('button', { name: 'Actions for Mira Lindqvist' }).click()
  return (await page.getByRole('menu').textContent()) ?? ''
}
