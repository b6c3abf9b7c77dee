/** Streams with few connections: with HTTP/1.1 a browser opens six to the portal, and a proxy may buffer them. */
import { request } from 'node:http'
import { constants, createGunzip } from 'node:zlib'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { findFreePort, type Gatehouse, makePlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { findNginx, startNginx } from '../support/nginx'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

const nginx = findNginx()

// All tests share one portal and one browser. The portal's public address is nginx's if nginx is installed; reads also work at its own.
// Installs run for ten minutes, so none ends during a test.
let upstream: Upstream
let place: Place
let gatehouse: Gatehouse
let proxy: AsyncDisposable | null = null
let visitor: Visitor
let publicUrl: string
beforeAll(async () => {
  upstream = await startUpstream({ extensions: true, installLines: 3_000, msPerLine: 200 })
  const publicPort = nginx ? await findFreePort() : null
  const more = publicPort === null ? {} : { PUBLIC_URL: `http://localhost:${publicPort}` }
  place = await makePlace({ UPSTREAM_URL: upstream.origin, ...more })
  gatehouse = await startGatehouse(place)
  if (nginx && publicPort !== null) proxy = await startNginx(nginx, publicPort, place.port)
  publicUrl = `http://localhost:${publicPort ?? place.port}`
  visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '', upstream.key)
})
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  await gatehouse.stop()
  await upstream[Symbol.asyncDispose]()
  place[Symbol.dispose]()
  nginx?.[Symbol.dispose]()
})

const isStream = (sent: Request) => /\/api\/jobs\/[^/]+\/events/.test(sent.url())

/** The streams that are open in any tab of a context from now on, without those of closed tabs. */
function watchStreams(context: BrowserContext): { tabs: () => Page[]; most: () => number } {
  const open = new Set<Request>()
  let most = 0
  const tabs = () => [...open].map((sent) => sent.frame().page()).filter((page) => !page.isClosed())
  const end = (sent: Request) => void open.delete(sent)
  context.on('request', (sent) => {
    if (isStream(sent)) open.add(sent)
    most = Math.max(most, tabs().length)
  })
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  return { tabs, most: () => most }
}

/** A server with a running install; returns the path of its page. */
async function startInstall(page: Page, name: string): Promise<string> {
  upstream.addServer({ name })
  const link = page.getByRole('link', { name, exact: true })
  // A list that its service answered slowly is shared for a while, also with a page that is opened again.
  await expect.poll(() => page.goto(`${publicUrl}/servers`).then(() => link.count()), { timeout: 40_000, interval: 1_000 }).toBe(1)
  await link.click()
  await page.waitForURL(/\/servers\/[\w-]{10,}/)
  const path = `/servers/${/servers\/([\w-]+)/.exec(page.url())?.[1] ?? ''}/install`
  await page.goto(publicUrl + path)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByRole('progressbar').first().waitFor()
  return path
}

const tabs = (count: number): Promise<Page[]> => Promise.all(Array.from({ length: count }, () => visitor.context.newPage()))
const closeAll = (pages: readonly Page[]) => Promise.all(pages.map((page) => page.close()))
const countLines = async (page: Page): Promise<number> => Number.parseInt((await page.getByText(/^\d+ lines?$/).textContent()) ?? '', 10)

/** Expects that lines keep arriving in every tab. */
async function expectGrowing(pages: readonly Page[]): Promise<void> {
  const before = await Promise.all(pages.map(countLines))
  for (const [at, page] of pages.entries()) await expect.poll(() => countLines(page), { timeout: 20_000 }).toBeGreaterThan(before[at] ?? 0)
}

const ways = [
  ['directly', () => `http://localhost:${place.port}`] as const,
  ...(nginx ? [['through nginx', () => publicUrl] as const] : []),
]

test.each(ways)(
  'security 49: with seven tabs on one install %s over HTTP/1.1 the last tab loads, all share one stream, and another tab takes over',
  async (way, urlOf) => {
    const path = await startInstall(visitor.page, `ferry-${way.at(0)}`)
    await visitor.page.goto('about:blank')
    const streams = watchStreams(visitor.context)
    const opened = await tabs(7)
    for (const page of opened) {
      await page.goto(urlOf() + path, { timeout: 20_000 })
      await page.getByRole('progressbar').first().waitFor({ timeout: 20_000 })
    }
    await expect.poll(() => streams.tabs().length, { timeout: 20_000 }).toBe(1)
    await expectGrowing(opened)
    expect(streams.most()).toBe(1)
    const [leader] = streams.tabs()
    await leader?.close()
    const others = opened.filter((page) => page !== leader)
    expect(others).toHaveLength(6)
    await expect.poll(() => streams.tabs().map((page) => others.includes(page)), { timeout: 20_000 }).toEqual([true])
    await expectGrowing(others)
    await closeAll(others)
    expect(visitor.complaints).toEqual([])
  },
)

test('security 49: tabs on more installs than available streams still show every line', async () => {
  const paths: string[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five']) paths.push(await startInstall(visitor.page, `ship-${name}`))
  await visitor.page.goto('about:blank')
  const streams = watchStreams(visitor.context)
  const opened = await tabs(paths.length)
  for (const [at, page] of opened.entries()) await page.goto(`http://localhost:${place.port}${paths[at] ?? ''}`)
  await expectGrowing(opened)
  expect(streams.most()).toBe(3)
  await closeAll(opened)
})

/** Milliseconds until a stream has delivered its first line, compressed or not. */
function timeFirstLine(url: string, cookie: string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const sending = request(url, { headers: { cookie, 'accept-encoding': 'gzip', accept: 'text/event-stream' } }, (response) => {
      const packed = response.headers['content-encoding'] === 'gzip'
      const unpacked = packed ? response.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH })) : response
      let text = ''
      unpacked.on('error', () => {})
      unpacked.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (!text.includes('event: line')) return
        resolve(performance.now() - began)
        sending.destroy()
      })
    })
    sending.once('error', reject)
    sending.end()
  })
}

test.each(ways)('security 49: a stream requested %s delivers its first line within a second', async (way, urlOf) => {
  await startInstall(visitor.page, `tug-${way.at(0)}`)
  const [job] = (await (await visitor.page.request.get(`${publicUrl}/api/jobs`)).json()) as { id: string }[]
  const cookie = (await visitor.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  expect(await timeFirstLine(`${urlOf()}/api/jobs/${job?.id}/events`, cookie)).toBeLessThan(1_000)
})
