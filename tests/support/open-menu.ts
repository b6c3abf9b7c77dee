/** Opens a menu by keyboard and chooses an item. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const patience = { timeout: 30_000 }

export async function openMenu(page: Page, button: string, item: string): Promise<void> {
  const wanted = page.getByRole('menuitem', { name: item })
  // The page may not react yet; a second key would close an open menu.
  const open = async () => {
    if ((await page.getByRole('menu').count()) === 0) await page.getByRole('button', { name: button }).press('Enter')
    return wanted.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
  }
  await expect.poll(open, patience).toBe(true)
  await wanted.press('Enter')
}
