/** Adding a server that has sites already: those of the account are named before they come back, those of others after it was added. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks } from '../support/page-faults'

const patience = { timeout: 60_000 }
const takes = { timeout: 300_000 }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function fill(page: Page, origin: string, name: string): Promise<void> {
  await page.goto(`${origin}/servers/new?provider=ssh`)
  await page.getByLabel('Server address').fill('192.0.2.20')
  await page.getByLabel('Password', { exact: true }).fill('a harbour in november')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await button(page, 'Test connection').click()
  await page.getByRole('group', { name: 'Host key' }).waitFor(patience)
}

test(
  'sites that come back with a server are named and confirmed first; sites of others are named with how root takes them over',
  takes,
  async () => {
    await using visit = await visitForeign({ extensions: true })
    const { page, upstream, visitor } = visit
    const { origin } = new URL(visit.url)
    const long = `${'a-long-label-'.repeat(4)}x.${'and-another-'.repeat(4)}x.example`
    upstream.model.onAdded = { adopted: ['stays.example', long], held: [], take_over: '' }
    await fill(page, origin, 'back-01')
    await button(page, 'Add server').click()
    await page.getByText(`This server has 2 sites of this account from before: stays.example, ${long}.`).waitFor(patience)
    expect(upstream.model.servers.size).toBe(1)
    expect(await faultsInAllLooks(page)).toEqual([])
    // By keyboard.
    await button(page, 'Add with its sites').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/servers/*/install', patience)
    expect(upstream.callsTo('POST', '/servers/create').map(({ fields }) => fields.adopt)).toEqual([undefined, 'ask', '1'])

    const held = [
      { domain: long, owner: '0f'.repeat(16) },
      { domain: 'earlier.example', owner: '' },
    ]
    upstream.model.onAdded = {
      adopted: [],
      held,
      take_over: "for name in one two; do sed -i -e '/^owner /d' /etc/gatehouse/sites/$name/site; done",
    }
    await fill(page, origin, 'shared-01')
    await button(page, 'Add server').click()
    await page.getByRole('heading', { name: 'The server was added. Some of its sites belong to others.' }).waitFor(patience)
    await page.getByText(`account ${'0f'.repeat(16)}`).waitFor()
    await page.getByText('made by an earlier version; another Gatehouse logs in to this server').waitFor()
    await page.getByText('for name in one two').waitFor()
    expect(await faultsInAllLooks(page)).toEqual([])
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL('**/servers/*/install', patience)
    expect(visitor.complaints).toEqual([])
  },
)
