/**
 * The story of a lent key in three browsers: lent by an owner for the logs and backups of one site, a push asked for by the guest, approved by
 * two people, the key frozen while the guest watches, the guest removed; and everything that tells it.
 */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { owner } from '../support/first-steps'
import { nextFriday } from '../support/next-friday'
import { npmRun } from '../support/npm-run'
import { openMenu } from '../support/open-menu'
import { faultsInAllLooks } from '../support/page-faults'
import { letSignInsAge } from '../support/place-database'
import { pressFor, pressUntil } from '../support/press'
import { readPages, waitToSee } from '../support/shown-text'
import { domain, type LendingScene, openLendingScene } from './lending-scene'

let scene: LendingScene
let mira: Page
let ada: Page
let gwen: Page

const patience = { timeout: 30_000 }
const longPatience = { timeout: 90_000 }
const phone = { width: 390, height: 844 }
const adaPassword = 'three cranes over the estuary'

beforeAll(async () => {
  scene = await openLendingScene()
  ;({ mira, ada, gwen } = scene)
}, 480_000)

afterAll(async () => {
  expect(scene?.visit.visitor.complaints).toEqual([])
  await scene?.[Symbol.asyncDispose]()
})

const at = (path: string): string => `${scene.visit.gatehouse.url}${path}`
const button = (part: Page | Locator, name: string): Locator => part.getByRole('button', { name, exact: true })
const rows = (page: Page, table: string): Locator => page.getByRole('table', { name: table }).getByRole('row')
const site = (): string => `/sites/${scene.siteId}`

/** In the dialog about access or about a loan. may and of: what is ticked, as the page calls it. */
async function choose(
  dialog: Locator,
  { may, of, until }: { may: readonly string[]; of: readonly string[]; until: string },
): Promise<void> {
  await dialog.getByLabel('What').selectOption('Custom')
  await button(dialog, 'Choose none').press('Enter')
  for (const part of [...may, ...of]) await dialog.getByRole('checkbox', { name: part, exact: true }).press('Space')
  await dialog.getByLabel('Until').fill(until)
}

async function lend(what: Parameters<typeof choose>[1], sentence: RegExp): Promise<void> {
  await mira.goto(at('/keys'))
  await openMenu(mira, 'Actions for Mira’s key', 'Lending and uses')
  const dialog = mira.getByRole('dialog', { name: 'Lend connection' })
  await pressFor(button(mira, 'Lend'), dialog)
  await dialog.getByLabel('To', { exact: true }).selectOption('Gwen Okafor, Guest')
  await choose(dialog, what)
  await dialog.getByLabel('Names').fill(domain)
  await dialog.getByText(sentence).waitFor()
  // Access is given and asked for apart from the loan in this story.
  await dialog.getByRole('checkbox', { name: 'Also give access to the same' }).setChecked(false)
  await button(dialog, 'Lend').press('Enter')
  await mira.getByText('The connection was lent.').waitFor(patience)
}

test('the owner lends their own key for the logs and backups of a site until Friday, and gives access for no more', async () => {
  const work = { may: ['change'], of: ['backups', 'logs'], until: `${nextFriday()}T18:00` }
  const said = `view and change the backups and logs of ${domain.replace('.', '\\.')} until Fri.*18:00`
  await mira.goto(at(`${site()}/access`))
  const dialog = mira.getByRole('dialog', { name: 'Add access' })
  await pressFor(button(mira, 'Add access'), dialog)
  await dialog.getByLabel('Who').selectOption('Gwen Okafor, Guest')
  await choose(dialog, work)
  await dialog.getByText(new RegExp(`^Can ${said}, and nothing else but what other access gives\\.$`)).waitFor()
  await button(dialog, 'Add access').press('Enter')
  await mira.getByText('The access was given.').waitFor(patience)
  await lend(work, new RegExp(`^Gwen Okafor can use this connection to ${said}, and never sees its key\\.$`))
  await waitToSee(rows(mira, 'Loans').filter({ hasText: 'Gwen Okafor' }), /the backups and logs/)
})

test('security 3: at 390 px the guest finds that site with its logs and backups, and nothing else anywhere', async () => {
  const paths = [
    '/',
    '/servers',
    '/sites',
    '/jobs',
    '/activity',
    '/keys',
    '/team',
    '/team/requests',
    '/approvals',
    '/notifications',
    '/reach',
  ]
  expect(await readPages(gwen, scene.visit.gatehouse.url, paths)).toContain(domain)
  await gwen.goto(at(site()))
  await gwen.waitForURL('**/sites/*/backups', patience)
  const tabs = gwen.getByRole('navigation', { name: `Pages of ${domain}` }).getByRole('link')
  expect(await tabs.allTextContents()).toEqual(['Backups', 'Logs'])
  await tabs.last().press('Enter')
  await gwen.waitForURL('**/sites/*/logs', patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await gwen.setViewportSize(phone)
  await pressUntil(gwen, 'Control+k', gwen.getByRole('combobox'))
  await gwen.getByRole('combobox').fill('kaffee')
  await gwen.getByRole('option', { name: domain }).first().waitFor(patience)
  for (const name of ['otter', 'osprey']) {
    await gwen.getByRole('combobox').fill(name)
    await gwen.getByText('No matches').first().waitFor()
  }
  await gwen.keyboard.press('Escape')
  const reads = ['palette', 'servers', 'sites', 'jobs', 'batches', 'home', 'counts', 'notifications', 'access-requests', 'activity/csv']
  for (const read of reads) await gwen.evaluate((path) => fetch(path).then((answer) => answer.text()), `/api/${read}`)
  for (const path of scene.foreignPaths) {
    const answer = await gwen.request.get(at(path))
    expect([path, answer.status(), /otter|osprey/.test(await answer.text())]).toEqual([path, 404, false])
  }
  await mira.reload()
  await waitToSee(rows(mira, 'Uses').filter({ hasText: 'Gwen Okafor' }), /log/i)
})

test('the owner lends the key for a push, the guest asks for it, the admin approves it for an hour, and the guest’s page has it', async () => {
  await gwen.goto(at(`${site()}/app`))
  await gwen.getByText('Your access does not include this.').waitFor(patience)
  // It can be asked for before it is lent. Then the form says whose connection it takes, and no page does.
  const asking = gwen.getByRole('dialog', { name: 'Ask for access' })
  await pressFor(button(gwen, 'Ask for access').first(), asking)
  await asking.getByLabel('What').selectOption('View, delete and overwrite the apps')
  await asking.getByText(/It takes a connection that Mira Lindqvist lends you for it\.$/).waitFor()
  await gwen.keyboard.press('Escape')
  expect(await gwen.getByRole('main').getByText('Mira Lindqvist').count()).toBe(0)
  await lend({ may: ['delete and overwrite'], of: ['apps'], until: `${nextFriday()}T18:00` }, /view, delete and overwrite the apps of/)
  await gwen.reload()
  const dialog = gwen.getByRole('dialog', { name: 'Ask for access' })
  await pressFor(button(gwen, 'Ask for access').first(), dialog)
  await dialog.getByLabel('What').selectOption('View, delete and overwrite the apps')
  await dialog.getByLabel('Reason').fill('The new shop goes live')
  await dialog.getByText(`Asks to view, delete and overwrite the apps of ${domain}, for 1 hour.`).waitFor()
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await gwen.setViewportSize(phone)
  await dialog.getByLabel('Reason').press('Enter')
  await dialog.waitFor({ state: 'detached', ...patience })

  await ada.goto(at('/'))
  await pressFor(ada.getByRole('button', { name: /^Notifications, \d+ unread/ }), ada.getByRole('menuitem', { name: /asks for access/ }))
  await ada.getByRole('menuitem', { name: /asks for access/ }).press('Enter')
  await ada.waitForURL('**/team/requests', patience)
  const approve = ada.getByRole('dialog', { name: 'Approve access' })
  await pressFor(button(ada, 'Approve… Gwen Okafor: View, delete and overwrite the apps'), approve)
  await approve.getByText(/^Gwen Okafor asks: “The new shop goes live”\./).waitFor()
  await approve.getByText(/^Can view, delete and overwrite the apps of kaffee\.example until .*, and nothing else/).waitFor()
  expect(await faultsInAllLooks(ada)).toEqual([])
  await button(approve, 'Approve').press('Enter')
  await approve.waitFor({ state: 'detached', ...patience })
  // The page on which the guest asked has it without being opened again.
  await button(gwen, 'Push to live').waitFor(longPatience)
  const { until, validFrom } = await db().grant.findFirstOrThrow({ where: { subjects: 'apps' } })
  const minutes = ((until?.getTime() ?? 0) - validFrom.getTime()) / 60_000
  expect(minutes > 58 && minutes <= 60).toBe(true)
})

test('a push needs a second person: the admin sees what it would do, and approves it with their password', async () => {
  await mira.goto(at('/team'))
  const rule = mira.getByRole('listitem').filter({ hasText: 'Pushing staging copies to live sites' })
  await pressFor(button(rule, 'Turn on'), button(rule, 'Turn off'))
  const dialog = gwen.getByRole('dialog', { name: 'Push to live' })
  await pressFor(button(gwen, 'Push to live'), dialog)
  await dialog.getByRole('checkbox', { name: 'Database' }).press('Space')
  await button(dialog, 'None').press('Enter')
  await dialog.getByRole('checkbox', { name: /^wp_posts/ }).press('Space')
  await dialog.getByLabel(`Type ${domain} to confirm`).fill(domain)
  await button(dialog, 'Push to live').press('Enter')
  await dialog.getByText('Waits for a second person: ').waitFor(patience)
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await gwen.setViewportSize(phone)
  await dialog.getByRole('link', { name: 'View request' }).press('Enter')
  await gwen.waitForURL('**/approvals/*', patience)
  expect(await button(gwen, 'Approve and send').count()).toBe(0)
  expect(await db().job.count({ where: { operation: 'apps.push' } })).toBe(0)

  await letSignInsAge(scene.visit.place)
  await ada.goto(gwen.url())
  const facts = ada.getByRole('main')
  for (const text of ['What will be sent', 'Files', 'Database', 'wp_posts', 'What is there now', 'heron-1']) await waitToSee(facts, text)
  await waitToSee(facts, `Replace the live site by its staging copy: ${domain}`)
  expect(await faultsInAllLooks(ada)).toEqual([])
  await pressFor(button(ada, 'Approve and send'), ada.getByLabel('Your password'))
  await ada.getByLabel('Your password').fill(adaPassword)
  // The push stands still after its first steps until the owner has frozen the key.
  scene.clock.stop()
  await ada.getByLabel('Your password').press('Enter')
  await waitToSee(facts, 'Approved and sent', longPatience)
  await expect.poll(scene.hasBegunPush, longPatience).toBe(true)
  scene.clock.passUnits(6)
})

test('security 16: the owner freezes the key while the guest watches the push: ended within 5 s, and the push continues to its end', async () => {
  await gwen.reload()
  await gwen.getByRole('link', { name: 'View what it started' }).press('Enter', patience)
  await gwen.waitForURL('**/jobs/*', patience)
  await waitToSee(gwen.getByRole('main'), /^Backup/)
  await mira.goto(at('/keys'))
  const ended = waitToSee(gwen.getByRole('main'), 'Followed no more, still running on the server.', longPatience).then(Date.now)
  await openMenu(mira, 'Actions for Mira’s key', 'Freeze')
  await mira.getByText('Mira’s key is frozen. Streams through it end within 5 seconds.').waitFor(patience)
  const shownAt = await ended
  const freeze = await db().auditRow.findFirstOrThrow({ where: { action: 'connection.freeze', outcome: 'done' } })
  expect(shownAt - freeze.at.getTime()).toBeLessThanOrEqual(5_000)
  // There is nothing to stop any more, and nothing is sent through the frozen connection.
  for (const name of ['Stop following', 'Cancel job']) expect(await button(gwen, name).count()).toBe(0)
  expect(scene.stateOfPush()).toBe('running')
  expect(await faultsInAllLooks(gwen)).toEqual([])
  await gwen.setViewportSize(phone)
  scene.clock.continue()
  await expect.poll(scene.stateOfPush, longPatience).toBe('done')
  expect((await db().job.findFirstOrThrow({ where: { operation: 'apps.push' } })).state).not.toBe('done')
  await openMenu(mira, 'Actions for Mira’s key', 'Thaw')
  await mira.getByText('Mira’s key is used again.').waitFor(patience)
  await waitToSee(gwen.getByRole('main'), `${domain} was replaced by its staging copy.`, longPatience)
})

test('the owner looks at what would end before they remove the guest, whose next click is the sign-in', async () => {
  await mira.goto(at('/team'))
  await openMenu(mira, 'Actions for Gwen Okafor', 'Remove member')
  await mira.getByRole('dialog').getByRole('link', { name: 'See what this changes' }).press('Enter')
  await mira.getByText('If Gwen Okafor is removed from the team: nothing is saved yet.').waitFor(patience)
  const hers = rows(mira, 'Reach').filter({ hasText: 'Gwen Okafor' })
  await waitToSee(hers, /view and change the backups and logs/)
  await waitToSee(hers, /view, delete and overwrite the apps/)
  expect(await hers.filter({ hasText: '− Ends' }).count()).toBe(await hers.count())
  expect(await faultsInAllLooks(mira)).toEqual([])
  expect(await db().membership.count({ where: { role: 'guest' } })).toBe(1)
  await mira.goto(at('/team'))
  await openMenu(mira, 'Actions for Gwen Okafor', 'Remove member')
  const dialog = mira.getByRole('dialog', { name: 'Remove member' })
  await pressFor(button(dialog, 'Remove member'), dialog.getByLabel('Your password'))
  await dialog.getByLabel('Your password').fill(owner.password)
  await dialog.getByLabel('Your password').press('Enter')
  await mira.waitForURL('**/team/*', patience)
  await gwen.goto(at('/sites'))
  await gwen.waitForURL('**/sign-in**', patience)
})

test('security 3: nothing that the guest’s browser was sent had the name or the id of anything else, or the key', async () => {
  const sent = await scene.sentToGuest()
  expect(sent.filter((text) => text.includes(domain)).length).toBeGreaterThan(20)
  const leaked = Object.entries(scene.foreign).filter(([, text]) => sent.some((answer) => answer.includes(text)))
  expect(leaked.map(([what]) => what)).toEqual([])
})

test('the owner’s webhook and mail were told each step once, and the log tells the story and verifies', async () => {
  const apps = `view, delete and overwrite the apps of ${domain}`
  const push = `Replace the live site by its staging copy: ${domain}.`
  const steps = [
    `Gwen Okafor asks for access to ${apps}, for 1 hour.`,
    `Ada Marsh approved the request of Gwen Okafor for access to ${apps}`,
    `Gwen Okafor needs a second person: ${push}`,
    `Ada Marsh approved what Gwen Okafor asked for: ${push}`,
  ]
  const hooked = () =>
    scene.hook.received.flatMap(({ body }) => (JSON.parse(body) as { events: { text: string }[] }).events.map(({ text }) => text))
  await expect.poll(() => hooked().length, { timeout: 150_000 }).toBeGreaterThanOrEqual(steps.length)
  expect(hooked()).toEqual(steps.map((step) => expect.stringContaining(step)))
  const mailed = () => scene.mail.received.filter(({ to }) => to === owner.email).map(({ text }) => text)
  const timesOf = (step: string) =>
    mailed().reduce((sum, text) => sum + text.split('\r\n\r\n').slice(1).join(' ').split(step).length - 1, 0)
  await expect.poll(() => steps.map(timesOf), { timeout: 150_000 }).toEqual(steps.map(() => 1))

  await mira.goto(at('/activity'))
  const told = await mira.getByRole('main').innerText()
  for (const sentence of [
    /Lent a connection to gwen\.okafor@northwind\.test to view and change the backups and logs of kaffee\.example/,
    /Asked for access to view, delete and overwrite the apps of kaffee\.example, for 1 hour; reason: The new shop goes live/,
    /Approved access for gwen\.okafor@northwind\.test/,
    /Asked for a second person/,
    /Froze a connection/,
    /Thawed a connection/,
    /Removed gwen\.okafor@northwind\.test from the team/,
  ]) {
    expect(told).toMatch(sentence)
  }
  expect(told).toContain('Log integrity verified')
  expect(npmRun(scene.visit.place, 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining('Log integrity verified') })
})
