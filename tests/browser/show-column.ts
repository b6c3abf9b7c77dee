/** Shows a column of a list that is not among its usual ones, as a member does. */
import type { Page } from 'playwright-core'

/** On a list's page, on a window that is wide enough for it. label: of the column. */
export async function showColumn(page: Page, label: string): Promise<void> {
  const main = page.getByRole('main')
  await main.locator('button:not([disabled])', { hasText: 'CSV' }).waitFor()
  await main.getByRole('button', { name: 'Columns', exact: true }).click()
  const choice = page.getByRole('menuitemcheckbox', { name: label, exact: true })
  if (!(await choice.isChecked())) await choice.click()
  await page.keyboard.press('Escape')
  await choice.waitFor({ state: 'detached' })
}
