/** A page of a site, opened as a user gets there: from the list. */
import type { Page } from 'playwright-core'

/** tab: its name among the pages of the site. timeout: in ms, until the list has the site. */
export async function openSitePage(page: Page, { url, domain, tab }: { url: string; domain: string; tab: string }, timeout: number) {
  await page.goto(`${url}/sites`)
  await page.getByRole('link', { name: domain, exact: true }).click({ timeout })
  await page
    .getByRole('navigation', { name: `Pages of ${domain}` })
    .getByRole('link', { name: tab, exact: true })
    .click()
  await page.waitForURL(/\/sites\/[^/]+\/[^/]+$/)
}
