/** The bell of somebody who is signed in. */
import type { Page } from 'playwright-core'

/** Resolves once the bell's menu, on a desktop, lists a notification with these words; closes it again. */
export async function waitForBell(page: Page, words: RegExp): Promise<void> {
  await page.reload()
  await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
  await page.getByRole('menuitem', { name: words }).waitFor()
  await page.keyboard.press('Escape')
}
