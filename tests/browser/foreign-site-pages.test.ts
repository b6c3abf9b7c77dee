/** The pages of a site of a foreign service: identical for each dialect, and with a clear error for each fault. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import type { Fault } from '../support/upstream/faults'
import type { UpstreamSite } from '../support/upstream/model'
import type { Variant } from '../support/upstream/variants'

/** Each page, the paths it reads, and what it shows only if that works. */
const pages = [
  { name: '', reads: ['summary'], shows: 'Cloudflare' },
  { name: 'aliases', reads: ['aliases'], shows: 'www.first.example' },
  { name: 'ssl', reads: ['settings'], shows: 'The service answers for this site with a certificate.' },
  { name: 'email', reads: ['email'], shows: 'someone@example.com' },
  { name: 'database', reads: ['database', 'database/tables'], shows: 'wp_posts' },
  { name: 'app', reads: ['apps'], shows: '6.8.1' },
  { name: 'backups', reads: ['backups'], shows: 'backup-1.tar.gz' },
] as const

type SitePage = (typeof pages)[number]

/** What pages show while a service is paused after several failures. */
const leftAlone = 'Gatehouse pauses calls'

const faults: readonly [fault: Fault, says: RegExp][] = [
  ['html', /answered with a web page/],
  ['empty', /unreadable response/],
  ['truncated-json', /unreadable response/],
  ['wrong-schema', /unreadable response/],
  ['success-false', /The server is locked/],
  ['500-html', /could not do this/],
  ['500-json', /could not do this: .*<b>\/var\/www\/api\.php<\/b> on line 12/],
  ['redirect-302', /redirected to another address/],
  ['wrong-length', /was cut off/],
  ['reset-before', /was cut off/],
  ['huge-body', /response of the service is too large/],
  ['hang', /didn’t respond in time/],
  ['forbidden', /The service refuses this: .*Not allowed\./],
  ['rate-limited', /asks to wait 7 seconds/],
]

const variants: readonly Variant[] = [
  'bare-item',
  'bare-objects',
  'objects-by-number',
  'numbers',
  'nulls',
  'flags-as-numbers',
  'flags-as-digits',
  'flags-as-words',
  'html-type',
  'byte-order-mark',
  'php-warning',
  'unknown-members',
  'wrapped',
]

let visit: ForeignVisit
let site: UpstreamSite
/** The site's pages in the portal, and the site at the service. */
let base: string
let at: string
let origin: string
let list: Page
/** One window per page, because a fault affects all of them at once. */
const windows = new Map<SitePage, Page>()

beforeAll(async () => {
  // An answer that never comes times out early, so that the test does not wait the usual half minute.
  visit = await visitForeign({}, { READ_SECONDS: '10' })
  origin = new URL(visit.url).origin
  const id = visit.upstream.addSite({ domain: 'first.example', aliases: ['www.first.example'], ssl: true })
  const added = visit.upstream.model.sites.get(id)
  if (!added) throw new Error('The site is gone.')
  ;[site, at] = [added, `/sites/${id}`]
  list = await visit.visitor.context.newPage()
  base = await findInList('first.example')
  for (const each of pages) windows.set(each, await visit.visitor.context.newPage())
})
afterEach(() => {
  visit.upstream.clear()
  expect(visit.visitor.complaints).toEqual([])
})
afterAll(() => visit?.[Symbol.asyncDispose]())

/** Opens the list until it shows this site, and returns the address of its page. */
async function findInList(domain: string): Promise<string> {
  const link = list.getByRole('link', { name: domain, exact: true })
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(300)) {
    await list.goto(`${origin}/sites`)
    if ((await link.count()) === 1) return new URL((await link.getAttribute('href')) ?? '', origin).href
  }
  throw new Error(`No list shows ${domain}.`)
}

const onAll = (look: (page: Page, of: SitePage) => Promise<void>) => Promise.all([...windows].map(([of, page]) => look(page, of)))

const setOnAll = (behaviour: Variant | Fault) => {
  for (const { reads } of pages) for (const read of reads) visit.upstream.set(behaviour, { path: `${at}/${read}` })
}

const open = (page: Page, { name }: SitePage) => page.goto(name === '' ? base : `${base}/${name}`, { waitUntil: 'commit' })

const isWhole = (page: Page, { shows }: SitePage) => page.getByText(shows).filter({ visible: true }).count()

const raw = /It works!|doctype|"success"|undefined|\[object|NaN/i

test.each(variants)('written as %s, an answer is read the same way on every page and in the list', async (variant) => {
  setOnAll(variant)
  visit.upstream.set(variant, { path: '/sites' })
  await onAll(async (page, of) => {
    await open(page, of)
    await expect.poll(() => isWhole(page, of), { message: `${of.name} ${variant}`, timeout: 30_000 }).toBeGreaterThan(0)
    expect([of.name, raw.test(await page.locator('main').innerText())]).toEqual([of.name, false])
  })
  // Found only if exactly this answer was read.
  const domain = `${variant}.example`
  const id = visit.upstream.addSite({ domain })
  await findInList(domain)
  visit.upstream.model.sites.delete(id)
})

test.each(['object-when-empty', 'null-when-empty'] as const)(
  '%s: a site without aliases, addresses, tables and backups shows that it has none',
  async (variant) => {
    const { aliases, emails, tables, backups } = site
    Object.assign(site, { aliases: [], emails: [], tables: [], backups: [] })
    setOnAll(variant)
    const page = await visit.visitor.context.newPage()
    await page.goto(`${base}/aliases`)
    await page.getByText('No aliases yet').waitFor()
    await page.goto(`${base}/email`)
    await page.getByText('No addresses yet').waitFor()
    await page.goto(`${base}/database`)
    await page.getByText('No tables yet').waitFor()
    await page.goto(`${base}/backups`)
    await page.getByText('No backups yet').waitFor()
    await page.close()
    Object.assign(site, { aliases, emails, tables, backups })
  },
)

test.each(faults)('%s: every page reports it in a sentence, shows no raw answer, and is complete again afterwards', async (fault, says) => {
  setOnAll(fault)
  const said: string[] = []
  await onAll(async (page, of) => {
    await open(page, of)
    const text = () => page.locator('main').innerText()
    const expected = new RegExp(`${says.source}|${leftAlone}`)
    await expect.poll(text, { message: `${of.name} ${fault}`, timeout: 60_000 }).toMatch(expected)
    said.push(await text())
    expect([of.name, raw.test(await text())]).toEqual([of.name, false])
    // Nothing is offered that depends on what could not be read.
    const offered = /^(Add alias|Add address|Turn o|Set password|Create backup|Restore|Install)/
    expect([of.name, await page.getByRole('button', { name: offered }).count()]).toEqual([of.name, 0])
  })
  expect(said.join('\n')).toMatch(says)
  visit.upstream.clear()
  await onAll(async (page, of) => {
    // A service that asked to slow down, or failed repeatedly, is not called for some seconds.
    await expect
      .poll(
        async () => {
          // Background windows render no frames, and a click would wait for one.
          for (const again of await page.locator('button:enabled', { hasText: 'Try again' }).all())
            await again.dispatchEvent('click', {}, { timeout: 500 }).catch(() => undefined)
          return isWhole(page, of)
        },
        { message: `${of.name} after ${fault}`, timeout: 60_000, interval: 500 },
      )
      .toBeGreaterThan(0)
  })
})

test.each(faults)('%s: the list keeps its sites, says why they may be old, and lists again afterwards', async (fault, says) => {
  visit.upstream.set(fault, { path: '/sites' })
  const text = () => list.locator('main').innerText()
  await list.goto(`${origin}/sites`)
  await expect.poll(text, { timeout: 60_000 }).toMatch(new RegExp(`${says.source}|${leftAlone}`))
  expect(await list.getByRole('link', { name: 'first.example', exact: true }).count()).toBe(1)
  expect(raw.test(await text())).toBe(false)
  visit.upstream.clear()
  const domain = `after-${fault}.example`
  visit.upstream.addSite({ domain })
  await findInList(domain)
  expect(await text()).not.toMatch(new RegExp(`${says.source}|${leftAlone}`))
})
