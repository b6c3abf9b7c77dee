/** Backup targets by keyboard at 390 px: a bucket is tested and added, what its test finds is said in words, keys are replaced, it is removed. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BucketServer, startBucketServer } from '../support/bucket-server'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { query } from '../support/place-database'
import { disguisesOf } from '../support/stored-key'
import { findStored } from '../support/stored-secrets'
import { type Member, type TeamVisit, visitTeam } from '../support/team-visit'

let bucket: BucketServer
let visit: TeamVisit
let gwen: Member

/** What Gatehouse sent to the browsers: pages, answers of actions, notifications. */
const sent: Promise<string>[] = []

async function collect(page: Page): Promise<void> {
  page.on('response', (response) => {
    // A page that is left takes its answer with it.
    if (response.request().method() === 'GET' && !response.url().includes('/_next/static/')) sent.push(response.text().catch(() => ''))
  })
  // The browser forgets the answers of actions once the page has read them.
  await page.route('**', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    sent.push(response.text())
    await route.fulfill({ response })
  })
}

beforeAll(async () => {
  bucket = await startBucketServer()
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8', LOG_LEVEL: 'debug' })
  await collect(visit.page)
  gwen = await visit.join('Gwen Okafor', 'operator', { viewport: { width: 390, height: 844 } })
  await collect(gwen.page)
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  for (const member of [visit, gwen]) await member?.page.unrouteAll({ behavior: 'ignoreErrors' })
  await visit?.[Symbol.asyncDispose]()
  await bucket?.[Symbol.asyncDispose]()
})

const patience = { timeout: 30_000 }

/** The page may not react yet, or the button may be busy. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await expect.poll(() => button.isEnabled(), patience).toBe(true)
  await button.press('Enter')
}

async function choose(page: Page, target: string, item: string): Promise<void> {
  await press(page, `Actions for ${target}`)
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

/** Labels of the dialog, by the form's fields. */
const labels: Readonly<Record<string, string>> = {
  label: 'Name',
  endpoint: 'Address',
  region: 'Region',
  bucket: 'Bucket',
  folder: 'Folder',
  serverKeyId: 'Server key: access key ID',
  serverKeySecret: 'Server key: secret',
  maintenanceKeyId: 'Maintenance key: access key ID',
  maintenanceKeySecret: 'Maintenance key: secret',
}

async function fill(page: Page, dialogName: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: dialogName })
  for (const [name, text] of Object.entries(fields)) {
    const label = labels[name]
    if (label !== undefined) await dialog.getByLabel(label, { exact: name !== 'region' && name !== 'folder' }).fill(text)
  }
}

const mistyped = 'canary-of-a-mistyped-secret'

const keysOf = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => /Key(Id|Secret)$/.test(name)))

test('an owner adds a bucket by keyboard at 390 px, and reads what its tests find', async () => {
  const { page } = visit
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${visit.gatehouse.url}/team`)
  await page.getByRole('link', { name: 'Backup targets' }).press('Enter')
  await page.waitForURL('**/team/backup-targets')
  await page.getByText('No backup targets').waitFor(patience)
  expect(await faultsOf(page)).toEqual([])
  await page.waitForLoadState('networkidle')
  await press(page, 'Add target')
  const dialog = page.getByRole('dialog', { name: 'Add backup target' })
  await dialog.getByLabel('Name').waitFor(patience)
  await fill(page, 'Add backup target', { ...bucket.fields, serverKeySecret: mistyped })
  await dialog.getByRole('button', { name: 'Test and add' }).press('Enter')
  await dialog.getByText('The secret doesn’t belong to this access key.').waitFor(patience)
  expect(await faultsOf(page)).toEqual([])
  await fill(page, 'Add backup target', keysOf(bucket.fields))
  await dialog.getByRole('button', { name: 'Test and add' }).press('Enter')
  await page.getByText('Test passed', { exact: true }).waitFor(patience)
  bucket.rules.versions = false
  await press(page, 'Test Copies')
  await page.getByText('Passed with warnings').waitFor(patience)
  await page.getByText('The bucket keeps no versions').first().waitFor(patience)
  bucket.rules.faults.PUT = { status: 507, code: '' }
  await press(page, 'Test Copies')
  await page.getByText('Test failed', { exact: true }).waitFor(patience)
  await page.getByText('The target is full.').first().waitFor(patience)
  bucket.rules.faults = {}
  bucket.rules.versions = true
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await choose(page, 'Copies', 'Replace keys')
  await fill(page, 'Replace keys', keysOf(bucket.fields))
  await page.getByRole('dialog', { name: 'Replace keys' }).getByRole('button', { name: 'Replace keys' }).press('Enter')
  await page.getByText('Test passed', { exact: true }).waitFor(patience)
  await expect
    .poll(() => page.getByRole('button', { name: 'Actions for Copies' }).evaluate((button) => button === document.activeElement))
    .toBe(true)
})

test('an operator sees the team’s target without buttons, and keeps one of their own', async () => {
  const { page } = gwen
  await page.goto(`${visit.gatehouse.url}/team/backup-targets`)
  await page.getByRole('heading', { name: 'Copies', exact: true }).waitFor(patience)
  expect(await page.getByRole('button', { name: 'Actions for Copies' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Test Copies' }).count()).toBe(0)
  await page.waitForLoadState('networkidle')
  await press(page, 'Add target')
  const dialog = page.getByRole('dialog', { name: 'Add backup target' })
  await dialog.getByLabel('Name').waitFor(patience)
  expect(await dialog.getByLabel('Owner').getByRole('option').allTextContents()).toEqual(['Only me'])
  await fill(page, 'Add backup target', { ...bucket.fields, label: 'Mine' })
  await dialog.getByRole('button', { name: 'Test and add' }).press('Enter')
  await page.getByRole('heading', { name: 'Mine' }).waitFor(patience)
  await choose(page, 'Mine', 'Remove target')
  const confirm = page.getByRole('dialog', { name: 'Remove backup target' })
  await confirm.locator('input[name="confirmName"]').fill('Mine')
  expect(await faultsOf(page)).toEqual([])
  await confirm.getByRole('button', { name: 'Remove backup target' }).press('Enter')
  await expect.poll(() => page.getByRole('heading', { name: 'Mine' }).count(), patience).toBe(0)
})

test('the dialogs of an SFTP server and a folder say who can delete there, and what a server needs; a viewer has none', async () => {
  const { page } = visit
  await page.goto(`${visit.gatehouse.url}/team/backup-targets`)
  await page.waitForLoadState('networkidle')
  await press(page, 'Add target')
  const dialog = page.getByRole('dialog', { name: 'Add backup target' })
  await dialog.getByLabel('Kind').selectOption('sftp')
  await dialog.getByLabel('Folder').fill('/srv/copies/fleet/team/')
  await dialog
    .getByText('exec rclone serve restic --quiet --stdio --append-only /srv/copies/fleet/team/$r" SERVER-KEY.pub')
    .waitFor(patience)
  await dialog.getByText('restrict,command="internal-sftp" MAINTENANCE-KEY.pub').waitFor(patience)
  await dialog.getByLabel('Folder').fill('/srv/"; reboot')
  await dialog.getByText('--append-only FOLDER/$r').waitFor(patience)
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Servers use').selectOption('sftp')
  await dialog.getByText('Whoever breaks into a server can delete its copies and those of other servers.').waitFor(patience)
  const given = { Name: 'Storage', Host: 'storage.example.org', User: 'fleet', 'Server key': mistyped, 'Maintenance key': mistyped }
  for (const [label, text] of Object.entries(given)) await dialog.getByLabel(label, { exact: true }).fill(text)
  await dialog.getByRole('button', { name: 'Test and add' }).press('Enter')
  await dialog.getByText('Use letters, digits, dots, hyphens and underscores').waitFor(patience)
  await dialog.getByLabel('Folder').fill('/srv/copies')
  await dialog.getByRole('button', { name: 'Test and add' }).press('Enter')
  await dialog.getByText('Enter a private key in the format of OpenSSH').first().waitFor(patience)
  expect(await dialog.getByText('Enter a private key in the format of OpenSSH').count()).toBe(2)
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Kind').selectOption('folder')
  await dialog.getByText('whoever breaks into a server can delete all that the folder has').waitFor(patience)
  expect(await dialog.getByLabel('Maintenance key', { exact: true }).count()).toBe(0)
  await page.keyboard.press('Escape')
  const viewer = await visit.join('Vera Lund', 'viewer')
  await viewer.page.goto(`${visit.gatehouse.url}/team/backup-targets`)
  await viewer.page.getByRole('heading', { name: 'Copies', exact: true }).waitFor(patience)
  for (const name of ['Add target', 'Test Copies', 'Actions for Copies'])
    expect(await viewer.page.getByRole('button', { name, exact: true }).count()).toBe(0)
})

test('a member who is removed leaves a frozen target, which their traces and the page name', async () => {
  const { page } = gwen
  await page.goto(`${visit.gatehouse.url}/team/backup-targets`)
  await page.waitForLoadState('networkidle')
  await press(page, 'Add target')
  await fill(page, 'Add backup target', { ...bucket.fields, label: 'Off-site' })
  await page.getByRole('dialog', { name: 'Add backup target' }).getByRole('button', { name: 'Test and add' }).press('Enter')
  await page.getByRole('heading', { name: 'Off-site' }).waitFor(patience)
  const { page: owners } = visit
  const [member] = await query(visit.place, 'portal', `SELECT id FROM User WHERE name = 'Gwen Okafor'`)
  await owners.goto(`${visit.gatehouse.url}/team`)
  await owners.waitForLoadState('networkidle')
  await owners.getByRole('button', { name: 'Actions for Gwen Okafor' }).press('Enter')
  await owners.getByRole('menuitem', { name: 'Remove member' }).press('Enter')
  const dialog = owners.getByRole('dialog', { name: 'Remove member' })
  await dialog.getByRole('button', { name: 'Remove member' }).press('Enter')
  await owners.getByText('Gwen Okafor was removed from the team. One backup target of their own was frozen.').waitFor(patience)
  await owners.waitForURL(`**/team/${String(member?.id)}`)
  await owners.getByRole('row').filter({ hasText: 'Off-site' }).getByText('Frozen').waitFor(patience)
  expect(await faultsOf(owners)).toEqual([])
  await owners.getByRole('link', { name: 'Off-site' }).press('Enter')
  await owners.getByText('Frozen when Gwen Okafor left the team').waitFor(patience)
  expect(await faultsOf(owners)).toEqual([])
})

test('security 1: no key of a target, also none that was refused, is in a page, an answer, the output of Gatehouse or its database', async () => {
  const { page } = visit
  await page.goto(`${visit.gatehouse.url}/activity`)
  await page.getByText('Added the backup target').first().waitFor(patience)
  await page.goto(`${visit.gatehouse.url}/notifications`)
  await page.waitForLoadState('networkidle')
  const secrets = { ...keysOf(bucket.fields), mistyped }
  const shown = [...(await Promise.all(sent)), visit.gatehouse.output()].join('\n')
  // The collection works: it has what the page shows, and what the dialogs answered.
  const parts = [`${bucket.endpoint}/copies/fleet/a`, 'The secret doesn’t belong to this access key.', 'Added the backup target']
  expect(parts.filter((text) => !shown.includes(text))).toEqual([])
  expect(Object.entries(secrets).filter(([, secret]) => disguisesOf(secret).some((form) => shown.includes(form)))).toEqual([])
  expect(findStored(visit.place, secrets)).toEqual([])
})
