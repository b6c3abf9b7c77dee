/** Keys that a page's own scripts listen to. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Presses the key until what it opens is there: a page that was opened a moment ago may not listen yet. */
export async function pressUntil(page: Page, key: string, opened: Locator): Promise<void> {
  const press = async () => {
    await page.keyboard.press(key)
    return opened.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(press, { timeout: 20_000 }).toBe(true)
}

/** Presses Enter on a control until there is something to see: the page may not react yet. */
export async function pressFor(control: Locator, shown: Locator): Promise<void> {
  const isShown = async () => {
    if (await shown.isVisible()) return true
    await control.press('Enter', { timeout: 3000 }).catch(() => {})
    return shown.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(isShown, { timeout: 30_000 }).toBe(true)
}
