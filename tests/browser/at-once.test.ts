/** A slow connection: a click shows the next page's skeleton before the portal could have answered, and Back leads to the list as it was left. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installWithSites } from '../support/sandbox-sites'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'

let visit: SandboxVisit
let page: Page
beforeAll(async () => {
  visit = await visitSandbox('harbour-01')
  page = visit.page
  await installWithSites(visit, ['harbour.example'])
})
afterAll(() => visit[Symbol.asyncDispose]())

const opening = (path: string) => page.locator(`[data-opening="${path}"]`)

/** Whatever the portal renders for a link waits until the returned function is called. */
async function holdAnswers(): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const isPage = (url: URL) => url.searchParams.has('_rsc')
  await page.route(isPage, async (route) => {
    await released
    await route.continue()
  })
  return async () => {
    release()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

/** Clicks a link while nothing is answered, and sees the skeleton; then the page comes. */
async function follow(path: string, heading: string): Promise<void> {
  const release = await holdAnswers()
  await page.locator(`a[href="${path}"]`).first().click()
  await opening(path).waitFor()
  expect(await page.getByRole('heading', { name: heading, level: 1, exact: true }).count()).toBe(page.url().endsWith(path) ? 1 : 0)
  await release()
  await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor()
  await opening(path).waitFor({ state: 'detached' })
}

test('each page of the sidebar shows its skeleton before it is answered', async () => {
  await page.goto(visit.gatehouse.url)
  const pages = {
    Servers: '/servers',
    Sites: '/sites',
    Jobs: '/jobs',
    Connections: '/keys',
    Team: '/team',
    Activity: '/activity',
    Home: '/',
  }
  for (const [name, path] of Object.entries(pages)) await follow(path, name)
})

test('a row opens with the skeleton of its page; a tab keeps the head, which is marked at once', async () => {
  await page.goto(`${visit.gatehouse.url}/servers`)
  await follow(`/servers/${visit.id}`, 'harbour-01')
  const release = await holdAnswers()
  const tab = page.getByRole('link', { name: 'Cron', exact: true })
  await tab.click()
  const cover = opening(`/servers/${visit.id}/cron`)
  await cover.waitFor()
  const [head, covered] = [await page.locator('main header').boundingBox(), await cover.boundingBox()]
  expect(covered?.y).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0) - 1)
  expect(await tab.evaluate((link) => getComputedStyle(link).fontWeight)).toBe('600')
  await release()
  await page.getByRole('heading', { name: 'Cron jobs', exact: true }).waitFor()
  await cover.waitFor({ state: 'detached' })
  expect(await tab.getAttribute('aria-current')).toBe('page')
})

/** In the page: when the click came, when something of the next page was painted, and when its answer began. */
const watch = `{
  const times = (window.times = {})
  addEventListener('click', ({ timeStamp }) => { times.click = timeStamp }, true)
  new MutationObserver(() => {
    if (times.shown === undefined && document.querySelector('[data-opening]')) {
      times.shown = null
      document.querySelector('[data-opening]').getAnimations()[0].finished.then(() => { times.shown = performance.now() })
    }
  }).observe(document.body, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name.includes('_rsc=')) times.answered = entry.responseStart
  }).observe({ type: 'resource' })
}`

test('at 400 ms of latency the skeleton is there before the answer', async () => {
  await page.goto(`${visit.gatehouse.url}/servers`)
  await page.locator('main button:not([disabled])', { hasText: 'CSV' }).waitFor()
  const isPage = (url: URL) => url.searchParams.has('_rsc')
  await page.route(isPage, async (route) => {
    await delay(400)
    await route.continue()
  })
  await page.evaluate(watch)
  await page.getByRole('link', { name: 'harbour-01', exact: true }).click()
  await page.getByRole('heading', { name: 'harbour-01', level: 1 }).waitFor()
  await expect.poll(() => page.evaluate('window.times.answered !== undefined')).toBe(true)
  const times = await page.evaluate<{ click: number; shown: number; answered: number }>('window.times')
  process.stdout.write(
    `skeleton after ${Math.round(times.shown - times.click)} ms, answer after ${Math.round(times.answered - times.click)} ms\n`,
  )
  expect([times.click, times.shown, times.answered]).toEqual([times.click, times.shown, times.answered].sort((one, other) => one - other))
  await page.unrouteAll({ behavior: 'wait' })
})

test('while the portal is down a click keeps the page with what was typed; the page says when the portal is back', async () => {
  await page.goto(`${visit.gatehouse.url}/account`)
  const name = page.getByLabel('Your name')
  await name.fill('Mira, half typed')
  await page.route('**/*', (route) => route.abort())
  await page.locator('a[href="/servers"]').first().click()
  await page.getByText('The other page was not opened, so that this one stays.').waitFor()
  expect(page.url()).toBe(`${visit.gatehouse.url}/account`)
  expect(await page.locator('[data-opening]').count()).toBe(0)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByText('Gatehouse is reachable again.').waitFor()
  expect(await name.inputValue()).toBe('Mira, half typed')
  await page.locator('a[href="/servers"]').first().click()
  await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
})

test.each([
  ['/sites', 'harbour.example'],
  ['/activity?outcome=done', 'harbour-01'],
])('Back from what %s leads to restores the filter and the place', async (path, link) => {
  await page.setViewportSize({ width: 1366, height: 160 })
  await page.goto(`${visit.gatehouse.url}${path}`)
  const row = page.locator('main tr, main li').getByRole('link', { name: link }).last()
  await row.evaluate((link) => link.scrollIntoView({ block: 'center' }))
  const place = await page.evaluate('scrollY')
  expect(place).toBeGreaterThan(0)
  await row.evaluate((link) => (link as unknown as { click: () => void }).click())
  await page.waitForURL(/\/(sites|servers)\/\w+/)
  await page.goBack()
  await page.waitForURL(`**${path}`)
  await row.waitFor()
  await expect.poll(() => page.evaluate('scrollY')).toBe(place)
  await page.setViewportSize({ width: 1366, height: 900 })
})

test('usage is drawn without waiting for an idle page', async () => {
  await page.goto(`${visit.gatehouse.url}/servers/${visit.id}`)
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/history'))
  await page.goto(`${visit.gatehouse.url}/servers`)
  await page.getByRole('link', { name: 'harbour-01', exact: true }).click()
  await asked
  await page.getByRole('region', { name: 'Usage' }).getByText('Disk', { exact: true }).waitFor()
})
