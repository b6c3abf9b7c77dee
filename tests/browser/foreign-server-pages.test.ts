/** The pages of a server of a foreign service: identical for each dialect, and with a clear error for each fault. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import type { Fault } from '../support/upstream/faults'
import type { Variant } from '../support/upstream/variants'

/** Each page, the path it reads, and what it shows if that works. */
const pages = [
  { name: '', reads: 'summary', shows: '6.1.0-28-amd64' },
  { name: 'cron', reads: 'cronjobs', shows: '/usr/bin/true' },
  { name: 'users', reads: 'systemusers', shows: 'ssh deploy@192.0.2.10' },
  { name: 'firewall', reads: 'firewall', shows: 'Allow SSH from anywhere' },
  { name: 'logs', reads: 'fetchlog', shows: 'first line of auth' },
  { name: 'mail', reads: 'messages', shows: 'b@example.org' },
  { name: 'backups', reads: 'backups', shows: '20 Nov 2026' },
] as const

type ServerPage = (typeof pages)[number]

/** What pages show while a service is paused after several failures. */
const leftAlone = 'Gatehouse pauses calls'

const faults: readonly [fault: Fault, says: RegExp][] = [
  ['html', /answered with a web page/],
  ['empty', /unreadable response/],
  ['truncated-json', /unreadable response/],
  ['redirect-302', /redirected to another address/],
  ['500-json', /could not do this: .*<b>\/var\/www\/api\.php<\/b> on line 12/],
  ['wrong-length', /was cut off/],
  ['huge-body', /response of the service is too large/],
  ['reset-before', /was cut off/],
  ['slow-head', /didn’t respond in time/],
  ['forbidden', /The service refuses this: .*Not allowed\./],
  ['rate-limited', /asks to wait 7 seconds/],
]

const variants: readonly Variant[] = [
  'numbers',
  'bare-objects',
  'objects-by-number',
  'html-type',
  'byte-order-mark',
  'unknown-members',
  'wrapped',
]
/** Members in which services return the content of a log, and services that do not list their logs. */
const logVariants: readonly Variant[] = ['log-in-log', 'log-in-data', 'log-as-lines', 'no-log-names']

let visit: ForeignVisit
/** One window per page, because a fault affects all of them at once. */
const windows = new Map<ServerPage, Page>()
beforeAll(async () => {
  // An answer that never comes times out early, so that the test does not wait the usual half minute.
  visit = await visitForeign({}, { READ_SECONDS: '10' })
  for (const each of pages) windows.set(each, await visit.visitor.context.newPage())
})
afterEach(() => visit.upstream.clear())
afterAll(() => visit?.[Symbol.asyncDispose]())

test('a direction character in a name is shown as its code, and text in links does not change the direction around it', async () => {
  visit.upstream.addServer({ name: 'invoice\u202egpj.exe' })
  const page = await visit.visitor.context.newPage()
  await page.goto(`${new URL(visit.url).origin}/servers`)
  await page.getByRole('link', { name: 'invoice[U+202E]gpj.exe' }).waitFor()
  const [first, second] = await page.evaluate(() => {
    const line = document.createElement('p')
    line.innerHTML = '<a>a\u202eb</a> <i>first</i> <i>second</i>'
    document.body.append(line)
    const lefts = [...line.querySelectorAll('i')].map((word) => word.getBoundingClientRect().left)
    line.remove()
    return lefts
  })
  expect(first).toBeLessThan(second ?? 0)
  await page.close()
})

const onAll = (look: (page: Page, of: ServerPage) => Promise<void>) => Promise.all([...windows].map(([of, page]) => look(page, of)))

const open = (page: Page, { name }: ServerPage) => page.goto(`${visit.url}/${name}`, { waitUntil: 'commit' })

const isWhole = (page: Page, { shows }: ServerPage) => page.getByText(shows).filter({ visible: true }).count()

test.each([...variants, ...logVariants])('written as %s, an answer is read the same way on every page', async (variant) => {
  const concerns = ({ name }: ServerPage) => name === 'logs' || !logVariants.includes(variant)
  for (const { reads } of pages) visit.upstream.set(variant, { path: `${visit.path}/${reads}` })
  await onAll(async (page, of) => {
    if (!concerns(of)) return
    await open(page, of)
    await expect.poll(() => isWhole(page, of), { message: `${of.name} ${variant}`, timeout: 30_000 }).toBeGreaterThan(0)
  })
})

test.each(faults)('%s: every page reports it in a sentence, shows no raw answer, and is complete again afterwards', async (fault, says) => {
  for (const { reads } of pages) visit.upstream.set(fault, { path: `${visit.path}/${reads}` })
  const said: string[] = []
  await onAll(async (page, of) => {
    await open(page, of)
    const text = () => page.locator('main').innerText()
    const expected = new RegExp(`${says.source}|${leftAlone}`)
    await expect.poll(text, { message: `${of.name} ${fault}`, timeout: 60_000 }).toMatch(expected)
    said.push(await text())
    expect([of.name, /It works!|doctype|"success"|undefined|\[object/i.test(await text())]).toEqual([of.name, false])
  })
  expect(said.join('\n')).toMatch(says)
  visit.upstream.clear()
  await onAll(async (page, of) => {
    // A service that asked to slow down, or failed repeatedly, is not called for some seconds.
    await expect
      .poll(
        async () => {
          // Background windows render no frames, and a click would wait for one.
          const again = page.locator('button:enabled', { hasText: 'Try again' })
          if ((await again.count()) > 0)
            await again
              .first()
              .dispatchEvent('click', {}, { timeout: 500 })
              .catch(() => undefined)
          return isWhole(page, of)
        },
        { message: `${of.name} after ${fault}`, timeout: 60_000, interval: 500 },
      )
      .toBeGreaterThan(0)
  })
  expect(visit.visitor.complaints).toEqual([])
})
