/** Channels by keyboard at 390 px: a webhook is added, tested, gets what the bell gets, and a message is sent again; the team's page. */
import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { type HookReceiver, startHookReceiver } from '../support/hook-receiver'
import { faultsInAllLooks, faultsOf } from '../support/page-faults'
import { lookInto } from '../support/portal-database'
import { type Member, type TeamVisit, visitTeam } from '../support/team-visit'
import { startUpstream, type Upstream } from '../support/upstream/upstream'

let upstream: Upstream
let receiver: HookReceiver
let visit: TeamVisit
let gwen: Member

beforeAll(async () => {
  upstream = await startUpstream({ extensions: true })
  receiver = await startHookReceiver()
  visit = await visitTeam({ ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' })
  gwen = await visit.join('Gwen Okafor', 'operator', { viewport: { width: 390, height: 844 } })
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  await upstream?.[Symbol.asyncDispose]()
})

const patience = { timeout: 30_000 }
/** Rounds are made every 15 seconds, and events of a minute are one message. */
const delivered = { timeout: 180_000 }

/** The page may not react yet, or the button may be busy. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await expect.poll(() => button.isEnabled(), patience).toBe(true)
  await button.press('Enter')
}

async function findConnection(label: string): Promise<string> {
  await using _ = lookInto(visit.place)
  return (await db().connection.findFirstOrThrow({ where: { label } })).id
}

test('a member adds a webhook by keyboard at 390 px, tests it, and gets there what the bell says', async () => {
  const { page } = gwen
  await page.goto(`${visit.gatehouse.url}/account`)
  await page.getByRole('link', { name: 'Notification channels' }).press('Enter')
  await page.waitForURL('**/account/notifications')
  await page.getByText('No channels').waitFor(patience)
  await page.waitForLoadState('networkidle')
  await press(page, 'Add channel')
  const dialog = page.getByRole('dialog', { name: 'Add channel' })
  await dialog.getByRole('textbox', { name: 'Name' }).waitFor(patience)
  expect(await dialog.getByLabel('Send to').getByRole('option').allTextContents()).toEqual([
    'Webhook',
    'Slack, Mattermost or Teams',
    'ntfy',
  ])
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hook')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Pager')
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  await dialog.getByText('Use https: a message sent over plain http').waitFor(patience)
  // At its end: before, the buttons cover checkboxes that can be scrolled out from under them.
  await dialog.evaluate((each) => each.scrollTo(0, each.scrollHeight))
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`${receiver.origin}/hook`)
  await dialog.getByRole('textbox', { name: 'Address' }).press('Enter')
  const shown = page.getByRole('dialog', { name: 'Secret of the webhook' })
  await shown.waitFor(patience)
  const secret = (await shown.locator('pre').innerText()).trim()
  await shown.getByRole('button', { name: 'Done' }).press('Enter')
  await press(page, 'Send test')
  await page.getByText('200 Accepted.').first().waitFor(patience)
  const [got] = receiver.received
  const signature = createHmac('sha256', secret).update(`${got?.headers['gatehouse-time']}.${got?.body}`).digest('hex')
  expect(got?.headers['gatehouse-signature']).toBe(`v1=${signature}`)

  const fields = { label: 'Harbour', address: upstream.origin, apiKey: upstream.key, keeper: 'own' }
  await gwen.person.act('app/(portal)/keys/actions.ts addConnection', fields)
  const connectionId = await findConnection('Harbour')
  await visit.owner.act('app/(portal)/keys/actions.ts freezeConnection', { connectionId })
  const bodies = () => receiver.received.map(({ body }): { id: string; events: { text: string }[] } => JSON.parse(body))
  await expect
    .poll(() => bodies().flatMap(({ events }) => events.map(({ text }) => text)), delivered)
    .toEqual([expect.stringContaining('froze the connection “Harbour”')])
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'Harbour' })
  await row.getByText('Accepted').filter({ visible: true }).first().waitFor(patience)
  await row.getByRole('button', { name: 'Send again' }).press('Enter')
  await expect.poll(() => bodies().length, patience).toBe(3)
  expect(bodies()[2]?.id).toBe(bodies()[1]?.id)
  receiver.answer(503, 'come back later')
  await press(page, 'Send test')
  await page.getByText('Not accepted. 503 come back later').first().waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await press(page, 'Turn off')
  await page.getByRole('button', { name: 'Turn on' }).waitFor(patience)
  await press(page, 'Remove')
  await page.getByRole('dialog', { name: 'Remove channel' }).getByRole('button', { name: 'Remove channel' }).press('Enter')
  await page.getByText('No channels').waitFor(patience)
})

test('an owner adds a channel of the team, which says whose sight it has; an operator has no such page', async () => {
  const { page } = visit
  receiver.answer(200)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${visit.gatehouse.url}/team`)
  await page.getByRole('link', { name: 'Channels', exact: true }).press('Enter')
  await page.waitForURL('**/team/channels')
  await page.waitForLoadState('networkidle')
  await press(page, 'Add channel')
  const dialog = page.getByRole('dialog', { name: 'Add channel' })
  await dialog.getByText('It sends what you see yourself').waitFor(patience)
  const boxes = await dialog.getByRole('checkbox').evaluateAll((all) => all.map((box) => box.getBoundingClientRect().height))
  expect([boxes.length > 0, Math.min(...boxes) >= 24]).toEqual([true, true])
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Send to').selectOption({ label: 'Slack, Mattermost or Teams' })
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`${receiver.origin}/services/T0/B0/x`)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Chat')
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  await page.getByText('It sends what you can see.').waitFor(patience)
  await press(page, 'Send test')
  await page.getByText('200 Accepted.').first().waitFor(patience)
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '{}').text).toContain('This is a test of the channel “Chat”.')
  expect(await faultsInAllLooks(page)).toEqual([])
  const answer = await gwen.page.goto(`${visit.gatehouse.url}/team/channels`)
  expect(answer?.status()).toBe(404)
})
