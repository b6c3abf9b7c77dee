/** Connections in a real browser: a second service next to the bundled one, by address and API key. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { makePlace as makeServicePlace, runKeys, startService } from '../service/support/process'
import { openChromium, type Visitor } from '../support/chromium'
import { addSandbox, createAccount, owner } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, startGatehouse } from '../support/gatehouse-process'
import { lookInto } from '../support/portal-database'

/** Everything to be closed, in the order in which it was opened. */
const ends: (() => unknown)[] = []
let gatehouse: Gatehouse
let visitor: Visitor
let page: Page
let address: string
/** Creates an API key of the second service. */
let createKey: (account?: string) => Promise<string>

beforeAll(async () => {
  const place = await makeStartedPlace({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.1' })
  const second = await makeServicePlace()
  ends.push(place[Symbol.dispose], second[Symbol.dispose])
  createKey = async (account = 'main') => (await runKeys(second, 'create', '--account', account)).stdout.trim()
  gatehouse = await startGatehouse(place)
  ends.push(() => gatehouse.stop())
  const service = await startService(second)
  ends.push(() => service.stop('SIGTERM'))
  address = service.baseUrl
  visitor = await openChromium()
  ends.push(() => visitor[Symbol.asyncDispose]())
  page = visitor.page
  const look = lookInto(place)
  ends.push(() => look[Symbol.asyncDispose]())
  await createAccount(page, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const rowOf = (label: string) => page.getByRole('row').filter({ hasText: label })

async function act(label: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function fillConnection(label: string, key: string): Promise<void> {
  await page.goto(`${gatehouse.url}/keys/new`)
  await page.getByLabel('Name', { exact: true }).fill(label)
  await page.getByLabel('Address').fill(address)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Add connection' }).click()
}

async function fillKey(label: string, key: string): Promise<void> {
  await page.getByLabel('New API key').fill(key)
  await page.getByLabel(`Type ${label} to confirm`).fill(label)
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click()
}

test('a second service is added by address and API key, works next to the bundled one, gets a new key, and is removed', async () => {
  await addSandbox(page, gatehouse.url, 'harbour-01')
  const [first, next, foreign] = [await createKey(), await createKey(), await createKey('another')]

  await fillConnection('Second service', 'a-key-that-nobody-made')
  await page.getByText('The service does not accept this API key.').waitFor()
  expect(await page.getByLabel('Address').inputValue()).toBe(address)
  await page.getByLabel('API key').fill(first)
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.waitForURL('**/keys')
  await page.getByText('Second service was added. It lists 0 servers.').waitFor()
  await rowOf('Second service').getByText('Working').first().waitFor()
  // The list is read by then, and the row says so without a reload.
  await expect.poll(() => rowOf('Second service').innerText()).not.toContain('Loading…')
  expect(await rowOf('Second service').innerText()).toContain(address)
  expect(await rowOf('Bundled service').innerText()).toContain('The service that comes with Gatehouse')

  await page.goto(`${gatehouse.url}/servers/new`)
  await page.getByText('Sandbox', { exact: true }).first().click()
  await page.getByLabel('Service').selectOption('Second service')
  await page.getByLabel('Name', { exact: true }).fill('lighthouse-02')
  await page.getByRole('button', { name: 'Add server' }).click()
  await page.waitForURL('**/servers/*/install')
  await page.goto(`${gatehouse.url}/servers`)
  await page.getByRole('link', { name: 'harbour-01' }).waitFor()
  await page.getByRole('link', { name: 'lighthouse-02' }).waitFor()

  await page.goto(`${gatehouse.url}/keys`)
  const fingerprint = /[0-9a-f]{4}( [0-9a-f]{4}){3}/
  const before = fingerprint.exec(await rowOf('Second service').innerText())?.[0]
  await act('Second service', 'Replace key')
  await fillKey('Second service', foreign)
  await page.getByText('does not list these servers of the old one: lighthouse-02').waitFor()
  await fillKey('Second service', next)
  await page.getByText('Second service has a new key. It lists 1 server.').waitFor()
  await expect.poll(async () => fingerprint.exec(await rowOf('Second service').innerText())?.[0]).not.toBe(before)
  await act('Second service', 'Check now')
  await page.getByText('Second service works.').waitFor()

  await act('Second service', 'Rename')
  await page.getByRole('dialog').getByLabel('Name').fill('Lighthouse')
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await rowOf('Lighthouse').waitFor()

  // The sign-in is not recent any more, so irreversible actions ask for the password.
  await db().session.updateMany({ data: { stepUpAt: new Date(Date.now() - 600_000) } })
  await act('Lighthouse', 'Remove connection')
  await page.getByLabel('Type Lighthouse to confirm').fill('Lighthouse')
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove connection' })
  await remove.click()
  await page.getByText('Confirm your password to continue.').waitFor()
  await page.getByLabel('Your password').fill('not this one')
  await remove.click()
  await page.getByText('Wrong password.').waitFor()
  await page.getByLabel('Your password').fill(owner.password)
  await remove.click()
  await page.getByText('Lighthouse was removed.').waitFor()
  await rowOf('Lighthouse').waitFor({ state: 'detached' })
  await page.goto(`${gatehouse.url}/servers`)
  await page.getByRole('link', { name: 'harbour-01' }).waitFor()
  expect(await page.getByRole('link', { name: 'lighthouse-02' }).count()).toBe(0)

  const rows = await db().auditRow.findMany({ where: { action: { startsWith: 'connection.' } }, orderBy: { seq: 'asc' } })
  expect(rows.filter(({ stage }) => stage === 'outcome').map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'connection.create failed',
    'connection.create done',
    'connection.replaceKey failed',
    'connection.replaceKey done',
    'connection.rename done',
    'connection.remove done',
  ])
  const texts = [JSON.stringify(rows), gatehouse.output(), await page.content()]
  for (const key of [first, next, foreign]) expect(texts.filter((text) => text.includes(key))).toEqual([])
  expect(visitor.complaints).toEqual([])
})

test('the bundled connection cannot be removed by accident, and an address of a private network is refused with the reason', async () => {
  await page.goto(`${gatehouse.url}/keys`)
  await page.getByRole('button', { name: 'Actions for Bundled service' }).click()
  await page.getByText('This connection comes with Gatehouse and cannot be removed.').waitFor()
  expect(await page.getByRole('menuitem', { name: 'Remove connection' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.goto(`${gatehouse.url}/keys/new`)
  expect(await page.getByLabel('API key').getAttribute('type')).toBe('password')
  expect(await page.getByLabel('API key').getAttribute('autocomplete')).toBe('off')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page.getByLabel('Address').fill('https://10.0.0.1')
  await page.getByLabel('API key').fill('a-key-that-nobody-made')
  await page.getByText('Only you', { exact: true }).click()
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.getByText('This address belongs to a private network.').waitFor()
  expect(await db().connection.count({ where: { label: 'Mine' } })).toBe(0)
})
