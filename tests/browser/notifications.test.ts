/** The bell in a real browser: how many are unread, what they say, where they lead, and marking them as read, also by keyboard. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { notify } from '@/lib/portal/notifications/notify'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, startGatehouse } from '../support/gatehouse-process'
import { faultsOf } from '../support/page-faults'
import { lookInto } from '../support/portal-database'

/** Everything to be closed, in the order in which it was opened. */
const ends: (() => unknown)[] = []
let gatehouse: Gatehouse
let visitor: Visitor

beforeAll(async () => {
  const place = await makeStartedPlace()
  ends.push(place[Symbol.dispose])
  gatehouse = await startGatehouse(place)
  ends.push(() => gatehouse.stop())
  visitor = await openChromium()
  ends.push(() => visitor[Symbol.asyncDispose]())
  const look = lookInto(place)
  ends.push(() => look[Symbol.asyncDispose]())
  await createAccount(visitor.page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

async function tell(onceKey: string, label: string): Promise<void> {
  const { userId, teamId } = await db().membership.findFirstOrThrow()
  const subject = { kind: 'connection', id: 'x'.repeat(22) } as const
  await notify({ teamId, userIds: [userId], kind: 'key_refused', onceKey, subject, detail: { label } })
}

test('the bell counts what is unread, leads to its subject by keyboard, and the page lists everything at 390 px, too', async () => {
  const { page } = visitor
  await tell('one', 'Harbour')
  await tell('two', 'Lighthouse '.repeat(5).trim())
  await page.reload()
  const bell = page.getByRole('button', { name: 'Notifications, 2 unread' })
  await bell.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /connection “Harbour”/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/keys')
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page.getByRole('menuitem', { name: 'All notifications' }).click()
  await page.waitForURL('**/notifications')
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
  expect(await page.getByText('could not be read').count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Mark as read' }).count()).toBe(0)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Notifications' }).waitFor()
  expect(visitor.complaints).toEqual([])
})
