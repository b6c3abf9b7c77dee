/** The pages of a server in front of a foreign service: in each handwriting the same, in each fault understandable. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makePlace, type Place, startGatehouse } from '../support/gatehouse-process'
import type { Fault } from '../support/upstream/faults'
import { startUpstream, type Upstream } from '../support/upstream/upstream'
import type { Variant } from '../support/upstream/variants'

let upstream: Upstream
let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page
let upstreamId: string
let url: string
beforeAll(async () => {
  upstream = await startUpstream({ msPerByte: 1000 })
  upstreamId = upstream.addServer({ name: 'foreign-01' })
  place = await makePlace({ UPSTREAM_URL: upstream.origin, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  gatehouse = await startGatehouse(place)
  visitor = await openChromium()
  page = visitor.page
  await createAccount(page, gatehouse.setupLink ?? '', upstream.key)
  await page.goto(`${gatehouse.url}/servers`)
  await page.getByRole('link', { name: 'foreign-01' }).click()
  await page.waitForURL(/\/servers\/[^/]+$/)
  url = page.url()
})
afterEach(() => upstream.clear())
afterAll(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await gatehouse?.[Symbol.asyncDispose]()
  place?.[Symbol.dispose]()
  await upstream?.[Symbol.asyncDispose]()
})

/** Each page, where it reads from, and what stands on it when that works. */
const pages = [
  { path: 'mail', reads: 'messages', shows: 'b@example.org' },
  { path: 'logs', reads: 'fetchlog', shows: 'first line of auth' },
] as const

const faults: readonly [fault: Fault, says: RegExp][] = [
  ['html', /answered with a web page/],
  ['empty', /makes no sense/],
  ['truncated-json', /makes no sense/],
  ['redirect-302', /pointed to another address/],
  ['500-json', /could not do it/],
  ['wrong-length', /broke off/],
  ['huge-body', /more than is acceptable/],
  ['reset-before', /broke off/],
  ['slow-head', /did not answer in time/],
  ['rate-limited', /asks to slow down/],
]

const variants: readonly Variant[] = ['numbers', 'bare-objects', 'objects-by-number', 'html-type', 'byte-order-mark', 'unknown-members']

test.each(pages)('$path: every handwriting of a foreign service is read as the same', async ({ path, reads, shows }) => {
  for (const variant of variants) {
    upstream.set(variant, { path: `/servers/${upstreamId}/${reads}` })
    await page.goto(`${url}/${path}`, { waitUntil: 'commit' })
    await expect.poll(() => page.getByText(shows).filter({ visible: true }).count(), { message: variant }).toBeGreaterThan(0)
    upstream.clear()
  }
})

test.each(pages)(
  '$path: what goes wrong at a foreign service is said in a sentence, never shown raw, and is over when it is',
  async ({ path, reads, shows }) => {
    for (const [fault, says] of faults) {
      upstream.set(fault, { path: `/servers/${upstreamId}/${reads}` })
      await page.goto(`${url}/${path}`, { waitUntil: 'commit' })
      await expect.poll(() => page.locator('main').innerText(), { message: fault, timeout: 20_000 }).toMatch(says)
      expect([fault, await page.getByText(/It works!|Fatal error|doctype|"success"/).count()]).toEqual([fault, 0])
      upstream.clear()
      await expect
        .poll(async () => {
          const again = page.getByRole('button', { name: 'Try again' })
          if (await again.isEnabled({ timeout: 1000 }).catch(() => false)) await again.click()
          return page.getByText(shows).filter({ visible: true }).count()
        })
        .toBeGreaterThan(0)
    }
    expect(visitor.complaints).toEqual([])
  },
)

test('what is deleted is sent once by one double click, and a lost answer is said to be unknown and settled by a read', async () => {
  const path = `/servers/${upstreamId}/deletemessages`
  await page.goto(`${url}/mail`)
  await page.getByRole('checkbox', { name: /^Select the message 4Xk2/ }).check()
  await page.getByRole('button', { name: 'Delete 1 message' }).click()
  await page.getByLabel('Type 1 to confirm').fill('1')
  upstream.set('reset-after', { path })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 message' }).dblclick()
  await page.getByRole('alert').getByText('not known').waitFor()
  upstream.clear()
  expect(upstream.callsTo('POST', path)).toHaveLength(1)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'No mail is waiting' }).waitFor()
  expect(upstream.callsTo('POST', path)).toHaveLength(1)
})
