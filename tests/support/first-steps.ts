/** What a newcomer does first, as they would do it: by labels and buttons. */

import type { Page } from 'playwright-core'

export const owner = { name: 'Mira Lindqvist', email: 'mira@northwind.test', password: 'a quiet harbour in november' }

const isHome = ({ pathname }: URL): boolean => pathname === '/'

/** Opens the one-time link, creates the first account and arrives at Home. The key is for a portal with an UPSTREAM_URL. */
export async function createAccount(page: Page, setupLink: string, apiKey?: string): Promise<void> {
  await page.goto(setupLink)
  await page.getByLabel('Team').fill('Northwind Ops')
  await page.getByLabel('Your name').fill(owner.name)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  if (apiKey !== undefined) await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(isHome)
}

export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await enterPassword(page)
  await page.waitForURL(isHome)
}

/** Signs in on the sign-in page, wherever it leads back to. */
export async function enterPassword(page: Page): Promise<void> {
  await page.waitForURL('**/sign-in**')
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
}

/** Adds a sandbox server and arrives at its install page. Resolves with the server's id. */
export async function addSandbox(page: Page, url: string, name: string): Promise<string> {
  await page.goto(`${url}/servers/new`)
  await page.getByText('Sandbox', { exact: true }).first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Add server' }).click()
  await page.waitForURL('**/servers/*/install')
  return serverIdOf(page)
}

export function serverIdOf(page: Page): string {
  return /\/servers\/([^/]+)/.exec(page.url())?.[1] ?? ''
}
