/** A Gatehouse in front of a foreign service with one server, and its owner at that server's page in a browser. */
import type { Page } from 'playwright-core'
import { openChromium, type Visitor } from './chromium'
import { makePlace, type Place, startGatehouse } from './gatehouse-process'
import { setUpQuickly } from './quick-set-up'
import { startUpstream, type Upstream, type UpstreamOptions } from './upstream/upstream'

export type ForeignVisit = AsyncDisposable & {
  upstream: Upstream
  place: Place
  visitor: Visitor
  page: Page
  /** The server's page in the portal. */
  url: string
  /** The server's address at the service: `/servers/<its id there>`. */
  path: string
}

/** The server is called foreign-01. settings: the portal's, besides those that lead to the service. */
export async function visitForeign(options: UpstreamOptions = {}, settings: Readonly<Record<string, string>> = {}): Promise<ForeignVisit> {
  const upstream = await startUpstream({ msPerByte: 1000, hugeBytes: 12 * 1024 * 1024, ...options })
  const path = `/servers/${upstream.addServer({ name: 'foreign-01' })}`
  const place = await makePlace({ ...settings, UPSTREAM_URL: upstream.origin, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  const gatehouse = await startGatehouse(place)
  const visitor = await openChromium()
  const { page } = visitor
  const close = async () => {
    await visitor[Symbol.asyncDispose]()
    await gatehouse[Symbol.asyncDispose]()
    place[Symbol.dispose]()
    await upstream[Symbol.asyncDispose]()
  }
  try {
    await setUpQuickly(page, place, gatehouse, upstream.key)
    await page.goto(`${gatehouse.url}/servers`)
    await page.getByRole('link', { name: 'foreign-01' }).click()
    await page.waitForURL(/\/servers\/[^/]+$/)
    return { upstream, place, visitor, page, url: page.url(), path, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}
