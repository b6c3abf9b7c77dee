/** Pages of a server in front of a service of another kind that goes wrong in every way we know: each says so in a sentence. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makePlace, type Place, startGatehouse } from '../support/gatehouse-process'
import type { Fault } from '../support/upstream/faults'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let place: Place
let gatehouse: Gatehouse
let upstream: Upstream
let visitor: Visitor
let base: string

beforeAll(async () => {
  upstream = await startUpstream({ hugeBytes: 12 * 1024 * 1024 })
  upstream.addServer({ name: 'alpha', id: 'srv-1' })
  place = await makePlace({ UPSTREAM_URL: upstream.origin, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.1', ALLOW_PLAIN_HTTP: '1' })
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  await createAccount(visitor.page, gatehouse.setupLink ?? '', upstream.key)
  await visitor.page.goto(`${gatehouse.url}/servers`)
  await visitor.page.getByRole('link', { name: 'alpha' }).click()
  await visitor.page.waitForURL('**/servers/*')
  base = visitor.page.url()
}, 60_000)
afterAll(async () => {
  await visitor[Symbol.asyncDispose]()
  await gatehouse.stop()
  place[Symbol.dispose]()
  await upstream[Symbol.asyncDispose]()
})

/** Each page with what it asks, and a mark of its being whole. */
const pages = [
  { page: 'users', asks: 'systemusers', whole: 'ssh deploy@192.0.2.10', lost: 'The accounts of alpha could not be read.' },
  { page: 'firewall', asks: 'firewall', whole: 'Lets in SSH from everywhere', lost: 'The firewall of alpha could not be read.' },
] as const

const faults: readonly Fault[] = ['html', 'truncated-json', 'rate-limited', 'hang', 'redirect-302', 'huge-body']

test.each(pages)(
  'the page $page says what is wrong with its service, shows nothing of a raw answer, and recovers',
  { timeout: 240_000 },
  async ({ page: name, asks, whole, lost }) => {
    const { page } = visitor
    await page.goto(`${base}/${name}`)
    await page.getByText(whole).waitFor()
    for (const fault of faults) {
      upstream.set(fault, { path: `/servers/srv-1/${asks}` })
      await page.goto(`${base}/${name}`)
      await page.getByText(lost).waitFor()
      const text = await page.locator('main').innerText()
      expect([fault, /It works|<|\{|Fatal|alert\(|undefined|\[object/.test(text)]).toEqual([fault, false])
      upstream.clear()
      // A service that asked to be left alone is, and so is one that failed again and again: both for some seconds.
      await expect
        .poll(
          async () => {
            const again = page.getByRole('button', { name: 'Try again' })
            if ((await again.count()) > 0) await again.click().catch(() => {})
            return page.getByText(whole).count()
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(1)
    }
    expect(visitor.complaints).toEqual([])
  },
)
