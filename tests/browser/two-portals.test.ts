/** Two people in two browsers at two portals behind a balancer: both watch an install to its end, while one of the portals is killed. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount, enterPassword } from '../support/first-steps'
import { openPortalPair } from '../support/portal-pair'
import { postgresqlMissing } from '../support/postgresql'

const patience = { timeout: 90_000 }

const progressOf = async (page: Page): Promise<number> => Number(await page.getByRole('progressbar').first().getAttribute('aria-valuenow'))

/** What the page shows once the job is over. */
async function installedText(page: Page): Promise<string> {
  await page.getByText('is installed.').waitFor(patience)
  return (await page.getByRole('main').innerText()).replaceAll(/\d+ (s|min|seconds?) ago|just now|\d+ s/gi, '')
}

test.skipIf(postgresqlMissing)('a portal is killed while two people watch an install: both see its end, and go on working', async () => {
  await using pair = await openPortalPair()
  await using one = await openChromium()
  await using other = await openChromium()
  await createAccount(one.page, pair.setupLink)
  await addSandbox(one.page, pair.url, 'harbour-01')
  await other.page.goto(one.page.url())
  await enterPassword(other.page)
  await one.page.getByRole('button', { name: 'Install', exact: true }).click()
  for (const { page } of [one, other]) await expect.poll(() => progressOf(page), patience).toBeGreaterThan(5)

  pair.kill(0)
  const texts = await Promise.all([one, other].map(({ page }) => installedText(page)))
  expect(texts[0]).toContain('harbour-01')
  expect(texts[1]).toBe(texts[0])

  // What one of them changes now the other one sees, and the portal that was killed has it when it is back.
  await one.page.goto(one.page.url().replace('/install', '/cron'))
  await one.page.getByRole('button', { name: 'Add job' }).click()
  await one.page.getByRole('dialog').getByLabel('Command').fill('/usr/local/bin/nightly')
  await one.page.getByRole('dialog').getByRole('button', { name: 'Add job' }).click()
  await one.page.getByText('The job was saved.').waitFor()
  pair.start(0)
  await pair.untilReady(0, 1)
  pair.kill(1)
  await pair.untilReady(0)
  await other.page.goto(one.page.url())
  await other.page.getByText('/usr/local/bin/nightly').first().waitFor(patience)
  expect([...one.complaints, ...other.complaints]).toEqual([])
})
