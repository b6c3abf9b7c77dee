/** Pages of a site, as a user gets there and reads them. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Opens it from the list. tab: its name among the pages of the site. timeout: in ms, until the list has the site. */
export async function openSitePage(page: Page, { url, domain, tab }: { url: string; domain: string; tab: string }, timeout: number) {
  await page.goto(`${url}/sites`)
  await page.getByRole('link', { name: domain, exact: true }).click({ timeout })
  await page
    .getByRole('navigation', { name: `Pages of ${domain}` })
    .getByRole('link', { name: tab, exact: true })
    .click()
  await page.waitForURL(/\/sites\/[^/]+\/[^/]+$/)
}

/** Resolves with the password of an app, or of a staging copy, which the page shows once. timeout: in ms, until the page offers it. */
export async function readCredentials(page: Page, timeout: number): Promise<string> {
  await page.getByRole('button', { name: 'Show sign-in details', exact: true }).click({ timeout })
  const password = (await page.locator('dl code').nth(2).textContent({ timeout })) ?? ''
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await expect.poll(() => page.getByText(password).count()).toBe(0)
  return password
}
