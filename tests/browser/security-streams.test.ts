/** Streams where connections are few: HTTP/1.1 gives a browser six to the portal, and a proxy in front may hold them up. */
import { request } from 'node:http'
import { constants, createGunzip } from 'node:zlib'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { addSandbox, createAccount } from '../support/first-steps'
import { findFreePort, type Gatehouse, makePlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { findNginx, startNginx } from '../support/nginx'

const nginx = findNginx()

// One portal and one browser for all. Its public address is nginx's where there is one; reads work at its own as well.
let place: Place
let gatehouse: Gatehouse
let proxy: AsyncDisposable | null = null
let visitor: Visitor
let publicUrl: string
beforeAll(async () => {
  const publicPort = nginx ? await findFreePort() : null
  place = await makePlace(publicPort === null ? {} : { PUBLIC_URL: `http://localhost:${publicPort}` })
  gatehouse = await startGatehouse(place)
  if (nginx && publicPort !== null) proxy = await startNginx(nginx, publicPort, place.port)
  publicUrl = `http://localhost:${publicPort ?? place.port}`
  visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '')
})
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  await gatehouse.stop()
  place[Symbol.dispose]()
  nginx?.[Symbol.dispose]()
})

const isStream = (sent: Request) => /\/api\/jobs\/[^/]+\/events/.test(sent.url())

/** The streams that are open in any tab of a context, from now on; those of a tab that was closed are over. */
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

/** A sandbox server whose install is under way; gives the path of its page. */
async function startInstall(page: Page, name: string): Promise<string> {
  await addSandbox(page, publicUrl, name)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByRole('progressbar').first().waitFor()
  return new URL(page.url()).pathname
}

const linesOf = (page: Page) => page.getByText(/^\d+ lines$/).textContent()
const tabs = (count: number): Promise<Page[]> => Promise.all(Array.from({ length: count }, () => visitor.context.newPage()))
const closeAll = (pages: readonly Page[]) => Promise.all(pages.map((page) => page.close()))

const ways = [
  ['directly', () => `http://localhost:${place.port}`] as const,
  ...(nginx ? [['through nginx', () => publicUrl] as const] : []),
]

test.each(ways)(
  'security 49: of seven tabs at one install %s over HTTP/1.1 the last loads, all share one stream, and another takes over',
  async (_, urlOf) => {
    const path = await startInstall(visitor.page, 'slow-ferry')
    await visitor.page.goto('about:blank')
    const streams = watchStreams(visitor.context)
    const opened = await tabs(7)
    for (const page of opened) {
      await page.goto(urlOf() + path, { timeout: 15_000 })
      await page.getByRole('progressbar').first().waitFor({ timeout: 10_000 })
    }
    await expect.poll(() => streams.tabs().length, { timeout: 10_000 }).toBe(1)
    expect(streams.most()).toBe(1)
    const [leader] = streams.tabs()
    await leader?.close()
    const others = opened.filter((page) => page !== leader)
    expect(others).toHaveLength(6)
    await expect.poll(() => streams.tabs().map((page) => others.includes(page)), { timeout: 10_000 }).toEqual([true])
    await Promise.all(others.map((page) => page.getByText('is installed.').waitFor({ timeout: 90_000 })))
    const lines = await Promise.all(others.map(linesOf))
    expect(new Set(lines).size).toBe(1)
    expect(Number.parseInt(lines[0] ?? '', 10)).toBeGreaterThan(10)
    await closeAll(others)
    await visitor.page.goto(publicUrl)
    expect(visitor.complaints).toEqual([])
  },
)

test('security 49: tabs at more installs than there are streams to have still show theirs to the end', async () => {
  const paths: string[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five']) paths.push(await startInstall(visitor.page, `slow-${name}`))
  await visitor.page.goto('about:blank')
  const streams = watchStreams(visitor.context)
  const opened = await tabs(paths.length)
  await Promise.all(opened.map((page, at) => page.goto(`http://localhost:${place.port}${paths[at] ?? ''}`)))
  await Promise.all(opened.map((page) => page.getByText('is installed.').waitFor({ timeout: 90_000 })))
  expect(streams.most()).toBeLessThanOrEqual(3)
  await closeAll(opened)
})

/** Milliseconds until a stream has brought its first line, packed or not. */
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

test.each(ways)('security 49: a stream asked for %s brings its first line within a second', async (_, urlOf) => {
  await startInstall(visitor.page, 'slow-tug')
  const [job] = (await (await visitor.page.request.get(`${publicUrl}/api/jobs`)).json()) as { id: string }[]
  const cookie = (await visitor.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  expect(await timeFirstLine(`${urlOf()}/api/jobs/${job?.id}/events`, cookie)).toBeLessThan(1_000)
})
