/**
 * Installs of a foreign service: long silence in two windows, trying again, and an install that was started elsewhere.
 * SILENT_SECONDS makes the silence longer than the tests' default.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn } from '../support/first-steps'
import { visitForeign } from '../support/foreign-visit'

const silentSeconds = Number(process.env.SILENT_SECONDS ?? 80)
const logOf = (page: Page) => page.getByRole('region', { name: 'Lines of the log' }).innerText()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const patience = { timeout: 40_000 }

/** Clicks Install, and confirms it if the page asks. */
async function startInstall(page: Page): Promise<void> {
  await button(page, 'Install').click()
  const asked = page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true })
  await page.getByRole('progressbar').first().or(asked).waitFor()
  if (await asked.isVisible()) await asked.click()
}

test('a long silence is shown in two windows, the second one finds the install without a reload, and one call is sent', {
  timeout: (silentSeconds + 240) * 1000,
}, async () => {
  await using visit = await visitForeign({ msPerLine: 100, silentMs: silentSeconds * 1000 })
  const { page, visitor, upstream, path, url } = visit
  const [other, overview] = [await visitor.another(), await visitor.context.newPage()]
  await signIn(other, new URL(url).origin)
  await other.goto(`${url}/install`)
  await overview.goto(url)
  await page.goto(`${url}/install`)
  await startInstall(page)
  await overview.getByText('This server is being installed.').waitFor(patience)
  await other.getByText('Line 3 of 10', { exact: false }).waitFor(patience)
  for (const window of [page, other]) await window.getByText(/^No output for \d+ s$/).waitFor(patience)

  // Past the 60 s after which a job used to count as interrupted, the counter continues and the job is running.
  await page.getByText(/^No output for 7\d s$/).waitFor({ timeout: 60_000 })
  for (const window of [page, other]) {
    await window.getByText('Running', { exact: true }).first().waitFor()
    expect(await window.getByText(/interrupted|no longer follows|cannot be reached/i).count()).toBe(0)
  }
  const jobs = await page.request.get(new URL('/api/jobs', url).href)
  expect(await jobs.json()).toMatchObject([{ state: 'running', endedAt: null }])

  for (const window of [page, other])
    await window.getByText('Line 10 of 10', { exact: false }).waitFor({ timeout: (silentSeconds + 30) * 1000 })
  for (const window of [page, other]) await window.getByText('10 lines').waitFor()
  expect(await logOf(other)).toBe(await logOf(page))
  await overview.getByText('This server is being installed.').waitFor({ state: 'detached', ...patience })
  expect(upstream.callsTo('GET', `${path}/install`)).toHaveLength(1)
  expect(visitor.complaints).toEqual([])
})

test('Try again warns that a second install may start, and sends nothing before the confirmation', async () => {
  await using visit = await visitForeign({ msPerLine: 50 })
  const { page, upstream, path, url } = visit
  const calls = () => upstream.callsTo('GET', `${path}/install`).length
  upstream.set('cut-stream', { path: `${path}/install`, times: 1 })
  await page.goto(`${url}/install`)
  await startInstall(page)
  await page.getByText('Gatehouse no longer follows this job.').waitFor(patience)
  expect(await page.getByText('continues at the first unfinished step').count()).toBe(0)
  await page.getByText('Retrying may start it a second time.').waitFor()
  await button(page, 'Try again').click()
  const dialog = page.getByRole('dialog', { name: 'Start a second install?' })
  await dialog.getByText('starts a second one').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(calls()).toBe(1)
  await button(page, 'Try again').click()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Line 10 of 10', { exact: false }).waitFor(patience)
  expect(calls()).toBe(2)
})

test('for a service that re-attaches to a running install, Try again needs no confirmation, and the page says so', async () => {
  await using visit = await visitForeign({ msPerLine: 50, extensions: true, installFails: true })
  const { page, upstream, path, url } = visit
  await page.goto(`${url}/install`)
  await startInstall(page)
  await page.getByText('Retrying continues at the first unfinished step.', { exact: false }).waitFor(patience)
  await button(page, 'Try again').click()
  await expect.poll(() => upstream.callsTo('GET', `${path}/install`).length, patience).toBe(2)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test.each([true, false])('the page offers to follow an install started outside the portal, extensions %s', async (extensions) => {
  await using visit = await visitForeign({ msPerLine: 50, extensions })
  visit.upstream.model.saysState = true
  const { page, upstream, path, url } = visit
  for (const server of upstream.model.servers.values()) server.state = 'installing'
  await page.goto(new URL('/servers', url).href)
  await page.getByText('Installing').first().waitFor(patience)
  await page.goto(`${url}/install`)
  await page.getByText('The install was started outside Gatehouse.').waitFor()
  expect(upstream.callsTo('GET', `${path}/install`)).toHaveLength(0)
  await button(page, 'Follow').click()
  if (!extensions) {
    const dialog = page.getByRole('dialog', { name: 'Follow this install?' })
    await dialog.getByText('start a second one').waitFor()
    await dialog.getByRole('button', { name: 'Follow' }).click()
  }
  await page.getByText('Line 10 of 10', { exact: false }).waitFor(patience)
  expect(upstream.callsTo('GET', `${path}/install`)).toHaveLength(1)
})

test('an endless install is followed until a user confirms Stop following, and can then be started again', async () => {
  await using visit = await visitForeign({ msPerLine: 50, silentMs: 1_000_000 })
  const { page, upstream, path, url } = visit
  await page.goto(`${url}/install`)
  await startInstall(page)
  await page.getByText('Line 3 of 10', { exact: false }).waitFor(patience)
  await button(page, 'Stop following').click()
  const dialog = page.getByRole('dialog', { name: 'Stop following this install?' })
  await dialog.getByText('it may still run on the server').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(upstream.openStreams).toBe(1)
  await button(page, 'Stop following').click()
  await dialog.getByRole('button', { name: 'Stop following' }).click()
  await page.getByText('A team member stopped following this job. It may still be running on the server.').waitFor(patience)
  await expect.poll(() => upstream.openStreams, patience).toBe(0)
  expect(await button(page, 'Stop following').count()).toBe(0)
  await button(page, 'Try again').waitFor()
  await page.goto(new URL('/activity', url).href)
  await page.getByText('Stopped following a job').first().waitFor()
  expect(upstream.callsTo('GET', `${path}/install`)).toHaveLength(1)
})
