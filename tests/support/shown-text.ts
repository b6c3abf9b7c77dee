/** Text of pages as somebody sees it. */
import type { Locator, Page } from 'playwright-core'

const patience = { timeout: 30_000 }

/** A column that is hidden may have the text as well. */
export const waitToSee = (part: Locator, text: string | RegExp, within = patience): Promise<void> =>
  part.getByText(text).filter({ visible: true }).first().waitFor(within)

/** The main part of each page, one after the other. */
export async function readPages(page: Page, url: string, paths: readonly string[]): Promise<string> {
  const texts: string[] = []
  for (const path of paths) {
    await page.goto(`${url}${path}`)
    await page.waitForLoadState('networkidle')
    texts.push(await page.getByRole('main').innerText())
  }
  return texts.join('\n')
}
