/** Home of a small fleet: the sentence, problems by cause with one action, and last night as a line of time and a list. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { lastNight } from '@/lib/portal/views/home/night-window'
import { visitForeign } from '../support/foreign-visit'
import type { Place } from '../support/gatehouse-process'
import { faultsInAllLooks } from '../support/page-faults'
import { lookInto } from '../support/portal-database'

const patience = { timeout: 60_000 }
const minuteMs = 60_000

/** Ended jobs of last night, by minutes after its begin: in the past at any time of the day. */
async function addNight(place: Place): Promise<void> {
  await using _ = lookInto(place)
  const servers = await db().server.findMany({ orderBy: { name: 'asc' } })
  const { from } = lastNight(Date.now(), 'UTC')
  const events = [
    ['event.backup', 0, 61, 'done'],
    ['event.backup', 1, 64, 'done'],
    ['event.backup', 2, 70, 'failed'],
    ['event.updates', 1, 120, 'done'],
    ['event.reboot', 1, 150, 'done'],
  ] as const
  for (const [operation, server, minutes, state] of events) {
    const at = new Date(from + minutes * minuteMs)
    const { id: serverId, teamId, name: targetName } = servers[server] ?? { id: '', teamId: '', name: '' }
    const id = createOpaqueId()
    const work = { id, teamId, operation, serverId, targetName, state, serverEvent: id, lease: '' }
    await db().job.create({ data: { ...work, startedAt: at, heardAt: at, endedAt: at } })
  }
}

const shownText = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).innerText()

test('Home says the state of the fleet, groups problems by cause with one action, and shows last night', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, url, place, visitor } = visit
  const { origin } = new URL(url)
  for (const name of ['second-01', 'third-01']) upstream.addServer({ name, state: 'ready' })
  for (const server of upstream.model.servers.values()) {
    server.state = 'ready'
    if (server.name !== 'third-01') server.found = { reboot_required: true }
  }
  upstream.addSite({ domain: 'shop.example' })
  await page.goto(`${origin}/sites`)
  await page.getByRole('link', { name: 'shop.example' }).first().waitFor(patience)
  await page.goto(`${origin}/servers`)
  // Whoever looks at a server checks it.
  for (const name of ['foreign-01', 'second-01']) {
    await page.goto(`${origin}/servers`)
    await page.getByRole('link', { name }).first().click()
    await page.getByText('Reboot required').first().waitFor(patience)
  }
  await addNight(place)

  await page.goto(`${origin}/`)
  const sentence = page.getByRole('list', { name: 'State of the fleet' })
  await sentence.getByRole('link', { name: '3 servers ready' }).waitFor(patience)
  await sentence.getByRole('link', { name: '1 site', exact: true }).waitFor(patience)
  await sentence.getByRole('link', { name: '2 of 3 servers backed up last night' }).waitFor(patience)

  const line = page.getByRole('listitem').filter({ hasText: 'Reboot needed' })
  expect(await line.getByRole('link', { name: /^(foreign|second)-01$/ }).count()).toBe(2)
  await line.getByRole('button', { name: 'Reboot all: 2 servers' }).click()
  await page.getByRole('dialog', { name: 'Reboot 2 servers' }).waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.keyboard.press('Escape')

  const strip = page.getByRole('region', { name: 'Line of time' })
  const marks = strip.getByRole('link')
  await expect.poll(() => marks.count(), { timeout: 20_000, interval: 500 }).toBe(4)
  await marks.first().focus()
  const said: string[] = []
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key)
    said.push((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '')
  }
  expect(said).toEqual([
    '21:01 to 21:04: 2 nightly backups (foreign-01 and second-01)',
    '21:10: Nightly backup of third-01 failed.',
    '22:00: Automatic updates on second-01',
    '22:30: Reboot of second-01',
    '22:30: Reboot of second-01',
  ])
  expect(await strip.innerText()).toContain('22:30: Reboot of second-01')
  const list = page.getByRole('list', { name: 'Last night' })
  for (const words of said)
    await list
      .getByText(words.replace(/^[^:]+:\d\d( to \d\d:\d\d)?: /, '').replace(/ \(.*/, ''))
      .first()
      .waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.setViewportSize({ width: 390, height: 844 })
  expect(await strip.isVisible()).toBe(false)
  expect(await shownText(page, 'Last night')).toContain('2 nightly backups')
  await list.getByRole('link', { name: 'Nightly backup of third-01 failed.' }).click()
  await page.getByRole('heading', { name: 'Nightly backup of third-01' }).waitFor(patience)
  expect(visitor.complaints).toEqual([])
})
