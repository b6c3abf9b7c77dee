/** The lists of one server at every width, with few rows and with many; and several of their rows deleted and restored together. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderBackups } from '@/lib/service/machines/backups'
import { query } from '../support/place-database'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'
import { proveReadable, widths } from '../support/table-faults'

let visit: SandboxVisit
beforeAll(async () => {
  visit = await visitSandbox('harbour-01')
  const { page, gatehouse, id } = visit
  await page.goto(`${gatehouse.url}/servers/${id}/install`)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByText('is installed.').waitFor({ timeout: 60_000 })
})
afterAll(() => visit[Symbol.asyncDispose]())

const many = 1000
const count = (length: number): number[] => Array.from({ length }, (_, index) => index)
const longName = 'a-system-user-with-a-name-of-30'

const sshRule = '### tuple ### allow tcp 22 0.0.0.0/0 any 0.0.0.0/0 in'

/** The rows of a list of this length, in the format of the simulated server. Rules have to be ordered, so there are fewer of them. */
const contents = (rows: number) => ({
  users: ['root', longName, ...count(rows - 1).map((index) => `user-${index}`)],
  crontabs: {
    root: count(rows)
      .map((index) => `${index % 60} ${index % 24} 1 1 1-5 /usr/bin/php /srv/www/some-site.example/current/artisan job:${index} --quiet\n`)
      .join(''),
  },
  rules: count(Math.min(rows, 200))
    .map((index) => `### tuple ### allow tcp ${1000 + index}:${3000 + index} 0.0.0.0/0 any 10.0.0.0/8 in`)
    .concat(sshRule),
  rules6: ['### tuple ### deny tcp 6000 ::/0 any 2001:db8:aaaa:bbbb:cccc:dddd:eeee:0/112 in'],
  backups: renderBackups(
    count(rows).map((index) => ({
      name: `backup-2026-11-22-${String(index).padStart(6, '0')}.tar.gz`,
      bytes: 344_719_626,
      writtenAt: 1_795_314_600 - index,
      proven: index % 2 > 0,
    })),
  ),
})

/** Gives the server lists of this length. */
async function fill(rows: number): Promise<void> {
  const { users, crontabs, rules, rules6, backups } = contents(rows)
  const set = Object.entries({ users, crontabs, 'firewall.rules': rules, 'firewall.rules6': rules6, backups })
    .map(([name, value]) => `'$.${name}', json('${JSON.stringify(value)}')`)
    .join(', ')
  await query(visit.place, 'service', `UPDATE SandboxState SET model = json_set(model, ${set})`)
}

const rowsOf = (page: Page) => page.locator('main tr[data-index]')

test('every column of a server’s lists is readable at every width, with four rows and with many', async () => {
  const { page, gatehouse, id } = visit
  for (const tab of ['cron', 'users', 'firewall', 'backups']) {
    const columns: Record<number, string[]>[] = []
    for (const rows of [4, many]) {
      await fill(rows)
      await page.goto(`${gatehouse.url}/servers/${id}/${tab}`)
      await rowsOf(page).nth(3).waitFor()
      await page.locator('main [aria-label^="Actions for"], main [aria-label^="Select all"]').first().waitFor()
      columns.push(await proveReadable(page))
    }
    expect([tab, columns[1]]).toEqual([tab, columns[0]])
    // On a phone the row shows its name, with the rest below it; on a desktop everything has its column.
    expect([tab, columns[0]?.[320]?.length]).toEqual([tab, 1])
    expect([tab, columns[0]?.[1920]?.length]).toEqual([tab, { cron: 4, users: 2, firewall: 6, backups: 5 }[tab]])
  }
  await fill(4)
})

test('the portal’s own lists are readable at every width', async () => {
  const { page, gatehouse } = visit
  for (const [path, main] of [
    ['/jobs', 'job'],
    ['/keys', 'connection'],
    ['/account', 'device'],
  ] as const) {
    await page.goto(`${gatehouse.url}${path}`)
    await rowsOf(page).first().waitFor()
    const columns = await proveReadable(page)
    for (const width of widths) expect(columns[width]).toContain(main)
  }
})

/** Deletes these rows together by typing their number. */
async function deleteTogether(page: Page, noun: string, places: readonly number[]): Promise<void> {
  for (const place of places) await rowsOf(page).nth(place).getByRole('checkbox').check()
  await page.getByRole('button', { name: `Delete ${places.length} ${noun}s` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You can restore them right away').waitFor()
  await dialog.getByLabel(/^Type /).fill(String(places.length))
  await dialog.getByRole('button', { name: `Delete ${places.length} ${noun}s` }).click()
  // Each is a separate change.
  await dialog.waitFor({ state: 'hidden', timeout: 60_000 })
}

for (const [tab, noun] of [
  ['cron', 'job'],
  ['firewall', 'rule'],
] as const)
  test(`several ${noun}s are deleted together, and one Undo restores all of them to their positions`, async () => {
    const { page, gatehouse, id, visitor } = visit
    await fill(6)
    await page.setViewportSize({ width: 1366, height: 860 })
    await page.goto(`${gatehouse.url}/servers/${id}/${tab}`)
    const names = () => rowsOf(page).locator('td[data-main] > span:first-child, td[data-main] + td code').allTextContents()
    // Without what stands below it until the page is hydrated.
    const mains = () => rowsOf(page).locator('td[data-main] > span:first-child').allTextContents()
    await rowsOf(page).nth(5).waitFor()
    const [before, texts] = [await names(), await mains()]
    await deleteTogether(page, noun, [0, 1, 4])
    await expect.poll(mains).toEqual(texts.filter((_, place) => ![0, 1, 4].includes(place)))
    await page.getByText(`3 ${noun}s were deleted.`).locator('..').getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`3 ${noun}s were restored.`).waitFor()
    await expect.poll(names).toEqual(before)
    expect(visitor.complaints).toEqual([])
  })
