/**
 * Pages with only a foreign service: they offer what it can do, ask for confirmation where something is unknown, and state
 * nothing unknown about its servers.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ForeignVisit, visitForeign } from '../support/foreign-visit'
import type { UpstreamServer } from '../support/upstream/model'
import { showColumn } from './show-column'

let visit: ForeignVisit
let page: Page
let origin: string
beforeAll(async () => {
  visit = await visitForeign()
  page = visit.page
  origin = new URL(visit.url).origin
})
afterEach(() => {
  visit.upstream.clear()
  expect(visit.visitor.complaints).toEqual([])
})
afterAll(() => visit?.[Symbol.asyncDispose]())

const server = (): UpstreamServer => {
  const found = visit.upstream.model.servers.get(visit.path.replace('/servers/', ''))
  if (!found) throw new Error('The server is gone.')
  return found
}

const main = () => page.locator('main')
const open = (path: string) => page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
const openTab = (tab: string) => page.goto(`${visit.url}/${tab}`, { waitUntil: 'networkidle' })

test('a provider is entered by the user, custom by default, sent as typed and shown as listed', async () => {
  // Wide enough for every column of the list.
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open('/servers/new')
  const provider = page.getByLabel('Provider', { exact: true })
  expect(await provider.inputValue()).toBe('custom')
  await provider.fill('Hetzner Cloud, fsn1')
  await page.getByLabel('Server address').fill('192.0.2.44')
  await page.getByLabel('Password', { exact: true }).fill('a secret')
  await page.getByLabel('Name', { exact: true }).fill('typed-01')
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('The host key cannot be compared').waitFor()
  await page.getByRole('button', { name: 'Add server' }).click()
  await page.waitForURL(/\/servers\/[^/]+\/install$/)
  expect(visit.upstream.callsTo('POST', '/servers/create').map(({ fields }) => fields.provider)).toEqual(['Hetzner Cloud, fsn1'])
  const [id = ''] = [...visit.upstream.model.servers].find(([, { name }]) => name === 'typed-01') ?? []
  const added = visit.upstream.model.servers.get(id)
  if (added) added.listed = { provider: 'Hetzner Cloud, fsn1' }
  await open('/servers')
  await showColumn(page, 'Provider')
  await page
    .getByRole('row', { name: /typed-01/ })
    .getByText('Hetzner Cloud, fsn1')
    .waitFor()
  await open('/servers/new')
  expect(await page.locator('datalist option').evaluateAll((all) => all.map((option) => option.getAttribute('value')))).toEqual([
    'custom',
    'Hetzner Cloud, fsn1',
  ])
  visit.upstream.model.servers.delete(id)
})

test('a listed server has an Install tab, and an install is sent only after a confirmation', async () => {
  const starts = () => visit.upstream.installStarts(server().id)
  await page.goto(visit.url)
  await page.getByRole('link', { name: 'Install', exact: true }).click()
  await page.getByText('Gatehouse does not know whether foreign-01 is installed').waitFor()
  await page.getByRole('button', { name: 'Install' }).click()
  const dialog = page.getByRole('dialog', { name: 'Install foreign-01?' })
  await dialog.getByText('even if it is already installed').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(starts()).toBe(0)
  await page.getByRole('button', { name: 'Install' }).click()
  await dialog.getByRole('button', { name: 'Install' }).click()
  await expect.poll(starts).toBe(1)
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('foreign-01 is installed.').waitFor()
  expect(await main().innerText()).not.toMatch(claims)
  expect(starts()).toBe(1)
})

/** True for our own service, and unknown for any other. */
const claims =
  /debian|\bsudo\b|\bufw\b|postfix|apache with|fpm|nightly|backs up its|every night|next nightly|seven backups|\/var\/|\/etc\/|authorized_keys|our (own )?key|automatically every day|automatically undo|server undoes|turn it off again|restores the rule|this server only|256 KB|first matching|all other incoming|reachable from anywhere|no effect|gatehouse cannot change|home folder|crontab|managed by gatehouse|of gatehouse|outgoing mail uses|stored on this server|not verified|are not notified|was sent\.|continues at the first/i

const tabs = ['', 'install', 'cron', 'users', 'firewall', 'logs', 'mail', 'backups', 'settings'] as const

/** Controls that open a dialog on a tab that could state something unknown. */
const openers: Readonly<Record<string, readonly string[]>> = {
  cron: ['Add job'],
  users: ['Add user'],
  firewall: ['Add rule'],
  settings: ['Rotate SSH key', 'Delete server'],
}

async function expectNoClaims(tab: string): Promise<void> {
  await openTab(tab)
  await expect.poll(() => main().innerText(), { message: tab }).not.toMatch(/Reading the|Listing the|Asking/)
  expect([tab, claims.exec(await main().innerText())?.[0]]).toEqual([tab, undefined])
  for (const name of openers[tab] ?? []) {
    await page.getByRole('button', { name, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await expect.poll(() => dialog.innerText()).not.toMatch(/Reading the host key/)
    expect([tab, name, claims.exec(await dialog.innerText())?.[0]]).toEqual([tab, name, undefined])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
}

test('no page of its server states anything unknown, with lists full or empty, the firewall on or off', async () => {
  const old = { name: 'server-2020-01-01.tar.gz', size: '73400320' }
  Object.assign(server(), {
    users: [{ name: 'deploy' }, { name: 'root' }, { name: 'mysql' }],
    backups: [old],
    rules: [
      { id: '1', port: '22', protocol: 'tcp', v6: '', action: 'ALLOW IN', from: 'Anywhere' },
      { id: '2', port: '22', protocol: 'tcp', v6: '', action: 'DENY IN', from: 'Anywhere' },
      { id: '3', port: '25', protocol: 'tcp', v6: '', action: 'ALLOW OUT', from: 'Anywhere on eth0' },
    ],
    summary: { updates: '4', security_updates: '' },
  })
  for (const tab of tabs) await expectNoClaims(tab)
  await openTab('')
  await page.getByText('none are security fixes').waitFor({ state: 'detached' })
  Object.assign(server(), {
    users: [],
    backups: [],
    rules: [],
    messages: [],
    cronjobs: [],
    firewall: false,
    summary: { security_updates: '3' },
  })
  for (const tab of tabs) await expectNoClaims(tab)
})

const broken: readonly [tab: string, lists: Partial<UpstreamServer>, shows: string][] = [
  [
    'cron',
    {
      cronjobs: [
        { line: '', command: 'lost' },
        { line: '7', command: '/usr/bin/kept', user: 'root', minute: '5', hour: '*', dom: '*', mon: '*', dow: '*' },
      ],
    },
    '/usr/bin/kept',
  ],
  ['users', { users: [{ name: '' }, { name: 'kept' }] }, 'kept'],
  [
    'firewall',
    { rules: [{ port: '23' }, { id: '1', port: '22', protocol: 'tcp', v6: '', action: 'ALLOW', from: 'Anywhere' }] },
    'Allow SSH',
  ],
  [
    'mail',
    { messages: [{ size: '1' }, { id: 'kept', size: '2', date: '2026-11-21 10:17:00', sender: 'a@x.test', recipient: 'b@x.test' }] },
    'b@x.test',
  ],
  ['backups', { backups: [{ size: '1' }, { name: 'kept.tar.gz', size: '73400320' }] }, 'kept.tar.gz'],
]

test.each(broken)('on the tab %s an unreadable item is left out, and one line says so', async (tab, lists, shows) => {
  Object.assign(server(), lists)
  await openTab(tab)
  await page.getByText(shows).filter({ visible: true }).first().waitFor()
  await page.getByText('1 item could not be read.').waitFor()
})

test('in the list of servers an unreadable one is left out, and one line says so', async () => {
  const lost = visit.upstream.addServer({ name: 'lost-01', listed: { id: null } })
  await open('/servers')
  await page.getByText(/1 item could not be read\./).waitFor()
  await page.getByRole('link', { name: 'foreign-01' }).waitFor()
  visit.upstream.model.servers.delete(lost)
})

test('no sandbox is offered: on no page, in no empty list, no form, no palette', async () => {
  visit.upstream.model.servers.clear()
  await open('/servers')
  await expect.poll(() => main().innerText()).toContain('No servers yet')
  for (const path of ['/', '/servers', '/servers/new', '/servers/new?provider=sandbox', '/keys', '/activity', '/jobs', '/account']) {
    await open(path)
    expect([path, /sandbox|simulated|debian/i.exec(await page.locator('body').innerText())?.[0]]).toEqual([path, undefined])
  }
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('sandbox')
  await expect.poll(() => page.getByRole('dialog').innerText()).not.toMatch(/Reading/)
  await expect.poll(() => page.getByRole('option').count()).toBe(0)
})
