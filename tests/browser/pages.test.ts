/** Every page in a real browser: no axe findings in either theme, on desktop or phone; no policy violations; shared reads. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium } from '../support/chromium'
import { addSandbox, createAccount, owner, serverIdOf, signIn } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { faultsOf, overflowOf } from '../support/page-faults'

// All tests share one Gatehouse; the first test creates its account.
let place: Place
let gatehouse: Gatehouse
beforeAll(async () => {
  place = await makeStartedPlace()
  gatehouse = await startGatehouse(place)
})
afterAll(async () => {
  await gatehouse.stop()
  place[Symbol.dispose]()
})

const sizes = [
  { width: 1366, height: 860 },
  { width: 390, height: 844 },
] as const

/** A small phone, and the widths that remain of 1366 px at 200 % zoom and of 1280 px at 400 %: nothing may need horizontal scrolling. */
const narrow = [
  { width: 683, height: 430 },
  { width: 320, height: 640 },
] as const

test('every page is free of axe findings, policy violations and horizontal scrolling, in both themes, on desktop and phone', async () => {
  await using visitor = await openChromium()
  const { page } = visitor
  const faults: string[] = []
  const look = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of sizes) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(size)
        for (const fault of await faultsOf(page)) faults.push(`${name}, ${colorScheme}, ${size.width}: ${fault}`)
      }
    }
    for (const size of narrow) {
      await page.setViewportSize(size)
      for (const fault of await overflowOf(page)) faults.push(`${name}, ${size.width}: ${fault}`)
    }
    await page.setViewportSize(sizes[0])
  }
  await page.goto(gatehouse.setupLink ?? '')
  await look('set-up')
  await createAccount(page, gatehouse.setupLink ?? '')
  await look('home, no servers yet')
  await page.goto(`${gatehouse.url}/servers`)
  await look('servers, none yet')
  await page.goto(`${gatehouse.url}/servers/new`)
  await look('add server')
  await addSandbox(page, gatehouse.url, 'harbour-with-a-rather-long-name-01')
  const id = serverIdOf(page)
  await look('before the install')
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await look('install done')
  for (const path of [
    '/',
    `/servers/${id}`,
    '/servers',
    '/jobs',
    '/keys',
    '/keys/new',
    '/activity',
    '/account',
    '/servers/nobody',
    '/nowhere',
  ]) {
    await page.goto(gatehouse.url + path)
    await look(path)
  }
  await page.context().clearCookies()
  await page.goto(`${gatehouse.url}/sign-in`)
  await look('sign-in')
  expect(faults).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('every script of a page is compiled while it downloads, and nothing shown at first needs Intl', async () => {
  const page = await (await fetch(`${gatehouse.url}/sign-in`)).text()
  const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map(([, path]) => `${gatehouse.url}${path}`)
  expect(scripts.length).toBeGreaterThan(3)
  for (const script of scripts) expect((await (await fetch(script)).text()).split('\n', 1)).toEqual(['//# allFunctionsCalledOnLoad'])

  await using visitor = await openChromium()
  // Counted one second after the load: code that waits until the page is idle runs later.
  await visitor.page.addInitScript(`window.madeFormats = 0
    addEventListener('load', () => setTimeout(() => (window.madeAtFirst = window.madeFormats), 1000))
    for (const name of ['DateTimeFormat', 'NumberFormat', 'RelativeTimeFormat'])
      Intl[name] = new Proxy(Intl[name], { construct: (...given) => (window.madeFormats++, Reflect.construct(...given)), apply: (...given) => (window.madeFormats++, Reflect.apply(...given)) })`)
  await signIn(visitor.page, gatehouse.url)
  for (const path of ['/', '/servers', '/jobs']) {
    await visitor.page.goto(`${gatehouse.url}${path}`)
    await expect.poll(() => visitor.page.evaluate('window.madeAtFirst'), { message: path }).toBe(0)
  }
})

test('two users watch an install through a failure, and Try again continues at the failed step', async () => {
  await using visitor = await openChromium()
  const { page } = visitor
  await signIn(page, gatehouse.url)
  await addSandbox(page, gatehouse.url, 'fail-lighthouse')
  const other = await visitor.another()
  await signIn(other, gatehouse.url)
  await other.goto(page.url())
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor({ timeout: 60_000 })
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Try again' }).waitFor()
  await again.click()
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
  await other.reload()
  await other.getByText('is installed.').waitFor({ timeout: 60_000 })
  const lines = (from: Page) => from.getByRole('region', { name: 'Lines of the log' }).innerText()
  expect(await lines(other)).toBe(await lines(page))
  expect(visitor.complaints).toEqual([])
})

test('signing out ends the session for every page and every read', async () => {
  await using visitor = await openChromium()
  const { page } = visitor
  await signIn(page, gatehouse.url)
  const cookies = await visitor.context.cookies()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText(owner.email).waitFor()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in*')
  await visitor.context.addCookies(cookies)
  const read = await page.request.get(`${gatehouse.url}/api/servers`)
  expect(read.status()).toBe(401)
  await page.goto(`${gatehouse.url}/servers`)
  expect(page.url()).toContain('/sign-in')
})
