/**
 * The story of a team in three browsers: invited, installing with a key of one's own, frozen, back by passkey, removed; and the audit log
 * that tells it.
 */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePlace as makeServicePlace, runKeys, startService } from '../service/support/process'
import { openChromium, type Visitor } from '../support/chromium'
import { createAccount } from '../support/first-steps'
import { type Gatehouse, makeStartedPlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { nextFriday } from '../support/next-friday'
import { npmRun } from '../support/npm-run'
import { faultsOf } from '../support/page-faults'
import { runSql } from '../support/sqlite-file'
import { findStored } from '../support/stored-secrets'

/** Everything to be closed, in the order in which it was opened. */
const ends: (() => unknown)[] = []
let place: Place
let gatehouse: Gatehouse
let visitor: Visitor
let service: { baseUrl: string; createKey: () => Promise<string> }
let mira: Page
let robin: Page
let vera: Page

beforeAll(async () => {
  place = await makeStartedPlace({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.1' })
  const second = await makeServicePlace()
  ends.push(place[Symbol.dispose], second[Symbol.dispose])
  gatehouse = await startGatehouse(place)
  ends.push(() => gatehouse.stop())
  const running = await startService(second)
  ends.push(() => running.stop('SIGTERM'))
  service = { baseUrl: running.baseUrl, createKey: async () => (await runKeys(second, 'create')).stdout.trim() }
  visitor = await openChromium()
  ends.push(() => visitor[Symbol.asyncDispose]())
  mira = visitor.page
  robin = await visitor.another()
  vera = await visitor.another()
  await createAccount(mira, gatehouse.setupLink ?? '')
})

afterAll(async () => {
  expect(visitor?.complaints).toEqual([])
  for (const end of ends.reverse()) await end()
})

const password = 'three cranes over the estuary'
const isHome = ({ pathname }: URL) => pathname === '/'

/** What somebody could use who read it in the database file. */
const secrets: Record<string, string> = {}

/** The connection that the newest job is followed through. */
const followedThrough = () =>
  runSql(
    join(place.dir, 'data/portal/portal.db'),
    'SELECT c."label" FROM "Job" j JOIN "Connection" c ON c."id" = j."connectionId" ORDER BY j."startedAt" DESC',
  )[0]?.label

/** Mira invites, and the invited person accepts in their own browser. */
async function invite(guest: Page, name: string, role: string, endsOn: string): Promise<void> {
  const email = `${name.split(' ')[0]?.toLowerCase()}@northwind.test`
  await mira.goto(`${gatehouse.url}/team`)
  await mira.getByRole('button', { name: 'Invite member' }).click()
  const dialog = mira.getByRole('dialog', { name: 'Invite member' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  if (endsOn) await dialog.getByLabel('Last day').fill(endsOn)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await mira.getByRole('dialog', { name: 'Copy the invitation link' }).locator('pre').textContent()
  await mira.getByRole('button', { name: 'Done' }).click()
  secrets[`the invitation of ${name}`] = new URL(link ?? '').searchParams.get('token') ?? ''
  await guest.goto(link ?? '')
  await guest.getByLabel('Your name').fill(name)
  await guest.getByLabel('Password', { exact: true }).fill(password)
  await guest.getByRole('button', { name: 'Accept invitation' }).click()
  await guest.waitForURL(isHome)
}

async function addConnection(page: Page, label: string, keeper: 'The team' | 'Only you'): Promise<void> {
  await page.goto(`${gatehouse.url}/keys/new`)
  await page.getByLabel('Name', { exact: true }).fill(label)
  await page.getByLabel('Address').fill(service.baseUrl)
  const apiKey = await service.createKey()
  secrets[`the API key of ${label}`] = apiKey
  await page.getByLabel('API key').fill(apiKey)
  const choice = page.getByText(keeper, { exact: true })
  if ((await choice.count()) > 0) await choice.click()
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.waitForURL('**/keys')
}

let serverPath = ''

test('the owner invites an operator until Friday and a viewer; the viewer sees everything and can press nothing', async () => {
  await invite(robin, 'Robin Ekholm', 'operator', nextFriday())
  await invite(vera, 'Vera Sandoval', 'viewer', '')
  await mira.goto(`${gatehouse.url}/team`)
  const row = mira.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: 'Robin Ekholm' })
  expect(await row.innerText()).toMatch(/Operator[\s\S]*\d+ \w+ 20\d\d/)
  await addConnection(mira, 'Shared', 'The team')
  for (const path of ['/', '/servers', '/jobs', '/keys', '/team', '/activity']) {
    await vera.goto(`${gatehouse.url}${path}`)
    await vera.getByRole('heading', { level: 1 }).waitFor()
    const main = vera.getByRole('main')
    const pressable = await main
      .getByRole('button', { disabled: false })
      .evaluateAll((buttons) =>
        buttons
          .filter((one) => one.getAttribute('aria-disabled') !== 'true')
          .map((one) => one.getAttribute('aria-label') ?? one.textContent),
      )
    const changing = pressable.filter((label) => /add|invite|remove|delete|freeze|thaw|rename|install/i.test(label ?? ''))
    expect([path, changing]).toEqual([path, []])
    for (const menu of await main.getByRole('button', { name: /^Actions for/ }).all()) {
      await menu.click()
      await vera.getByRole('menu').waitFor()
      expect([path, await vera.getByRole('menu').getByRole('menuitem').allTextContents()]).toEqual([path, []])
      await vera.keyboard.press('Escape')
      await vera.getByRole('menu').waitFor({ state: 'detached' })
    }
  }
})

test('security 16: the operator installs with a key of their own, the owner watches the same log and freezes the key; the stream ends, the install continues', async () => {
  await addConnection(robin, 'Robin’s key', 'Only you')
  await robin.goto(`${gatehouse.url}/servers/new`)
  await robin.getByText('Sandbox', { exact: true }).first().click()
  await robin.getByLabel('Service').selectOption('Robin’s key')
  await robin.getByLabel('Name', { exact: true }).fill('slow-harbour')
  await robin.getByRole('button', { name: 'Add server' }).click()
  await robin.waitForURL('**/servers/*/install')
  serverPath = new URL(robin.url()).pathname.replace('/install', '')
  await robin
    .getByRole('button', { name: /^Install/ })
    .first()
    .click()
  await robin.getByRole('button', { name: /Stop following/ }).waitFor()
  await mira.goto(`${gatehouse.url}/servers`)
  await mira.getByRole('link', { name: 'slow-harbour' }).click()
  await mira.goto(`${gatehouse.url}${serverPath}/install`)
  await mira.getByRole('progressbar').first().waitFor()
  expect(followedThrough()).toBe('Robin’s key')
  const keys = await mira.context().newPage()
  await keys.goto(`${gatehouse.url}/keys`)
  await keys.getByRole('row').filter({ hasText: 'Robin’s key' }).getByRole('button', { name: 'Freeze' }).click()
  await keys.getByText(/is frozen\. Streams through it end within 5 seconds\./).waitFor()
  // The owner's own way to the server is another key, through which the install is followed on.
  await expect.poll(followedThrough, { timeout: 5_000 }).toBe('Shared')
  await mira.getByText('is installed.').waitFor({ timeout: 90_000 })
  await robin.goto(`${gatehouse.url}/keys`)
  await robin.getByText(/Frozen by Mira Lindqvist/).waitFor()
  expect(await faultsOf(robin)).toEqual([])
})

test('security 17: the operator’s next sign-in is by passkey', async () => {
  const device = await robin.context().newCDPSession(robin)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await robin.goto(`${gatehouse.url}/account`)
  await robin.getByRole('button', { name: 'Add a passkey' }).click()
  await robin.getByText('Save your recovery codes now.').waitFor()
  await robin.context().clearCookies()
  await robin.goto(`${gatehouse.url}/sign-in`)
  await robin.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter')
  await robin.waitForURL(isHome)
})

test('security 16: removed in the middle of a page, the operator’s next click is the sign-in; the audit log tells the story and verifies', async () => {
  await robin.goto(`${gatehouse.url}/servers`)
  await mira.goto(`${gatehouse.url}/team`)
  await mira.getByRole('button', { name: 'Actions for Robin Ekholm' }).click()
  await mira.getByRole('menuitem', { name: 'Remove member' }).click()
  await mira.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
  await mira.waitForURL('**/team/*')
  await mira.getByRole('table', { name: 'Connections of their own' }).getByText('Robin’s key').waitFor()
  await mira.getByRole('table', { name: 'Made on servers' }).getByText('slow-harbour').waitFor()
  await robin.getByRole('link', { name: 'Jobs' }).first().click()
  await robin.waitForURL('**/sign-in**')
  await mira.goto(`${gatehouse.url}/activity`)
  const told = await mira.getByRole('main').innerText()
  for (const sentence of [
    /Invited robin@northwind\.test as Operator until/,
    /Accepted the invitation of robin@northwind\.test as Operator/,
    /Invited vera@northwind\.test as Viewer/,
    /Added a connection/,
    /Froze a connection/,
    /Added a passkey/,
    /Signed in with a passkey/,
    /Removed robin@northwind\.test from the team/,
  ])
    expect(told).toMatch(sentence)
  expect(told).toContain('Log integrity verified')
  expect(npmRun(place, 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining('Log integrity verified') })
})

test('security 1: the database file alone gives up no API key, usable session or invitation', async () => {
  // One that nobody has used yet.
  await mira.goto(`${gatehouse.url}/team`)
  await mira.getByRole('button', { name: 'Invite member' }).click()
  const dialog = mira.getByRole('dialog', { name: 'Invite member' })
  await dialog.getByLabel('Email').fill('open@northwind.test')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await mira.getByRole('dialog', { name: 'Copy the invitation link' }).locator('pre').textContent()
  secrets['the open invitation'] = new URL(link ?? '').searchParams.get('token') ?? ''
  for (const page of [mira, vera])
    for (const { name, value } of await page.context().cookies())
      if (name.includes('session')) secrets[`${name} ${value.slice(-6)}`] = value
  expect(Object.keys(secrets)).toHaveLength(7)
  expect(findStored(place, secrets)).toEqual([])
})
