/**
 * Failing changes to sites of a foreign service: each is sent once despite a double click, keeps the input if it was refused, and after a
 * lost answer its outcome is unknown until a read shows it.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import type { UpstreamSite } from '../support/upstream/model'

const patience = { timeout: 60_000 }
/** An unknown outcome is read again for half a minute. */

let visit: ForeignVisit
let page: Page
let origin: string

beforeAll(async () => {
  visit = await visitForeign({ msPerByte: 100 })
  page = visit.page
  origin = new URL(visit.url).origin
  for (const server of visit.upstream.model.servers.values()) server.state = 'ready'
})
afterEach(() => {
  visit.upstream.clear()
  expect(visit.visitor.complaints).toEqual([])
})
afterAll(() => visit?.[Symbol.asyncDispose]())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const outcome = (name: string) => page.getByRole('list', { name: 'Outcome' }).getByRole('listitem').filter({ hasText: name })
const undoOf = (said: string) => page.getByText(said, { exact: true }).locator('..').getByRole('button', { name: 'Undo' })

type OpenSite = { site: UpstreamSite; at: string; url: string }

/** A new site of the service, and its page in the portal. */
async function openSite(domain: string, tab = ''): Promise<OpenSite> {
  const id = visit.upstream.addSite({ domain, aliases: [`www.${domain}`] })
  const site = visit.upstream.model.sites.get(id)
  if (!site) throw new Error('The site is gone.')
  const link = page.getByRole('link', { name: domain, exact: true })
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return link.count()
    }, patience)
    .toBe(1)
  const url = new URL((await link.getAttribute('href')) ?? '', origin).href
  await page.goto(`${url}/${tab}`, { waitUntil: 'networkidle' })
  return { site, at: `/sites/${id}`, url }
}

const posts = (path: string) => visit.upstream.callsTo('POST', path).length

test('a site is created once despite a double click, with the time that has passed, and found by the list if the answer is lost', async () => {
  await page.goto(`${origin}/sites/new`, { waitUntil: 'networkidle' })
  await page.getByLabel('Domain').fill('lost.example')
  visit.upstream.set('slow-head', { path: '/sites/create', times: 1 })
  await button('Add site').dblclick()
  await page.getByText('The service reports no progress.').waitFor()
  const elapsed = page.getByText(/^\d+ s$/)
  const seconds = async () => Number.parseInt(await elapsed.innerText(), 10)
  const first = await seconds()
  await expect.poll(seconds).toBeGreaterThan(first)
  expect(await page.getByRole('progressbar').count()).toBe(0)
  visit.upstream.addSite({ domain: 'lost.example' })
  await page.getByText('lost.example was created.').waitFor(patience)

  await page.goto(`${origin}/sites/new`, { waitUntil: 'networkidle' })
  await page.getByLabel('Domain').fill('cut.example')
  visit.upstream.set('reset-after', { path: '/sites/create' })
  await button('Add site').dblclick()
  await page.getByText('cut.example was created.').waitFor(patience)
  expect(posts('/sites/create')).toBe(2)
})

test('a site that no list shows within half a minute: the outcome is unknown, and what was typed stays', async () => {
  await page.goto(`${origin}/sites/new`, { waitUntil: 'networkidle' })
  await page.getByLabel('Domain').fill('never.example')
  visit.upstream.set('502-html', { path: '/sites/create' })
  const before = posts('/sites/create')
  await button('Add site').click()
  await page.getByText('The outcome is unknown.').waitFor(patience)
  await page.getByText('The service may still create the site.').waitFor()
  // Perhaps the site was created, so its password may be needed.
  await button('I have copied it').click()
  await page.getByRole('link', { name: 'Try again' }).click()
  expect(await page.getByLabel('Domain').inputValue()).toBe('never.example')
  expect(posts('/sites/create')).toBe(before + 1)
})

test('a site is deleted once; after a lost answer the list shows that it is gone', async () => {
  const { at, url } = await openSite('gone.example')
  visit.upstream.set('reset-after', { path: `${at}/delete` })
  await button('Delete site').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Type/).fill('gone.example')
  await dialog.getByRole('button', { name: 'Delete site' }).dblclick()
  await page.waitForURL(/\/jobs\//)
  await expect
    .poll(async () => {
      await page.goto(`${origin}/sites`)
      return page.getByRole('link', { name: 'gone.example', exact: true }).count()
    }, patience)
    .toBe(0)
  await page.goto(url)
  await page.getByRole('heading', { name: 'No such site' }).waitFor()
  expect(visit.upstream.callsTo('GET', `${at}/delete`)).toHaveLength(1)
})

test('SSL is switched once: a lost answer is settled by a read, and while none shows it the outcome is unknown', async () => {
  const { site, at } = await openSite('secure.example', 'ssl')
  visit.upstream.set('502-html', { path: `${at}/setssl`, times: 1 })
  await button('Turn on SSL').dblclick()
  await page.getByText('The outcome is unknown.').waitFor(patience)
  // What the service answers to the reads is shown beside it.
  await button('Turn on SSL').waitFor()
  expect([site.ssl, posts(`${at}/setssl`)]).toEqual([false, 1])

  visit.upstream.set('reset-after', { path: `${at}/setssl`, times: 1 })
  await button('Turn on SSL').click()
  await undoOf('SSL is on.').waitFor(patience)
  await button('Turn off SSL').waitFor()
  expect(await page.getByText('The outcome is unknown.').count()).toBe(0)
  expect([site.ssl, posts(`${at}/setssl`)]).toEqual([true, 2])
})

test('aliases are added and deleted once: lost answers are settled by a read, and a refusal keeps the name with its reason', async () => {
  const { site, at } = await openSite('names.example', 'aliases')
  const field = page.getByLabel('Add aliases')
  visit.upstream.set('success-false', { path: `${at}/savealias`, times: 1 })
  await field.fill('one.example two.example')
  await button('Add 2 aliases').dblclick()
  await outcome('two.example').getByText('Added').waitFor(patience)
  expect(await outcome('one.example').innerText()).toContain('The server is locked.')
  await expect.poll(() => field.inputValue()).toBe('one.example')
  expect(posts(`${at}/savealias`)).toBe(2)

  visit.upstream.set('html-after', { path: `${at}/savealias`, times: 1 })
  await field.fill('three.example')
  await button('Add alias').click()
  await outcome('three.example').getByText('Added').waitFor(patience)
  expect(site.aliases.filter((name) => name === 'three.example')).toHaveLength(1)

  visit.upstream.set('reset-after', { path: `${at}/deletealias` })
  await button('Remove three.example').click()
  await undoOf('three.example was removed.').waitFor(patience)
  expect(site.aliases).not.toContain('three.example')
  expect(posts(`${at}/deletealias`)).toBe(1)
})

test('a database password whose answer is lost: the dialog says that it is unknown, and keeps the password', async () => {
  const { at } = await openSite('data.example', 'database')
  visit.upstream.set('reset-after', { path: `${at}/savedatabase` })
  await button('Set password').click()
  const dialog = page.getByRole('dialog')
  const password = dialog.getByLabel('Password')
  const typed = await password.inputValue()
  await dialog.getByRole('button', { name: 'Set password' }).dblclick()
  await dialog.getByText('The connection broke before the response arrived').first().waitFor(patience)
  expect([await password.inputValue(), posts(`${at}/savedatabase`)]).toEqual([typed, 1])
})
