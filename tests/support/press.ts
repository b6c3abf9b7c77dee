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
