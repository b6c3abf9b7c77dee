/** Jobs of several sites on a sandbox server: one waits and says for what, and either is cancelled, also with the keyboard and on a phone. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 60_000 }
const takes = { timeout: 600_000 }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a backup waits for another one and says so, changes do not; both backups are cancelled, by whom is shown', takes, async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, owner, id, visitor, gatehouse } = visit
  await owner.install(id)
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByText('is installed.').waitFor(patience)
  const create = async (domain: string) => {
    await page.goto(`${gatehouse.url}/sites/new?server=${id}`)
    await page.getByLabel('Domain').fill(domain)
    await button(page, 'Add site').click()
    await page.getByText(`${domain} was created.`).waitFor({ timeout: 90_000 })
  }
  /** Starts a backup and arrives at its job. */
  const backUp = async (domain: string): Promise<string> => {
    await page.goto(`${gatehouse.url}/sites`)
    const href = await page.getByRole('link', { name: domain, exact: true }).getAttribute('href', patience)
    await page.goto(`${gatehouse.url}${href}/backups`, { waitUntil: 'networkidle' })
    await button(page, 'Create backup').click()
    await page.getByRole('link', { name: 'View log' }).click(patience)
    await button(page, 'Cancel job').waitFor(patience)
    return page.url()
  }
  for (const domain of ['large.example', 'two.example']) await create(domain)
  // Its backup takes long on the sandbox.
  const large = await backUp('large.example')
  const two = await backUp('two.example')
  await page.getByRole('listitem').filter({ hasText: 'Waits for the backup of large.example' }).waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await create('three.example')

  await page.goto(`${gatehouse.url}/jobs`)
  await page.getByText('Waits for the backup of large.example (0 %)').waitFor(patience)

  // By keyboard, on a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(two)
  await button(page, 'Cancel job').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel this job?' })
  await dialog.waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => button(page, 'Cancel job').evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Cancel job' }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByText(/^Cancelled by .+\.$/)
    .first()
    .waitFor(patience)
  await page.getByText('The work was cancelled before it began. Nothing was changed.').first().waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.setViewportSize({ width: 1366, height: 900 })

  const { page: theirs } = await visit.join('Vera', 'viewer')
  await theirs.goto(large)
  expect(await button(theirs, 'Cancel job').getAttribute('aria-disabled', patience)).toBe('true')

  await page.goto(large)
  await button(page, 'Cancel job').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click()
  await page.getByText('What it had done until then is taken back.').first().waitFor(patience)
  await page.goto(`${gatehouse.url}/jobs`)
  await expect.poll(() => page.getByText('Cancelled', { exact: true }).count(), patience).toBeGreaterThanOrEqual(2)
  await page.goto(`${gatehouse.url}/activity`)
  await page.getByText('Cancelled the work on the site').first().waitFor(patience)
  await page.locator('tbody').getByText('Cancelled', { exact: true }).filter({ visible: true }).first().waitFor(patience)
  expect(visitor.complaints).toEqual([])
})
