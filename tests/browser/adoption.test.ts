/** Adding a server that has sites already: those of the account are named before they come back, those of others after it was added. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks } from '../support/page-faults'
import { visitSandbox } from '../support/sandbox-visit'

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

test('the confirmation of a deletion says what stays on the server', takes, async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, owner, id, gatehouse } = visit
  await owner.install(id)
  await page.goto(`${gatehouse.url}/sites/new?server=${id}`)
  await page.getByLabel('Domain').fill('stays.example')
  await button(page, 'Add site').click()
  await page.getByText('stays.example was created.').waitFor({ timeout: 90_000 })
  await page.goto(`${gatehouse.url}/servers/${id}/settings`)
  await button(page, 'Delete server').first().click()
  await page
    .getByText('Its site stays.example leaves the list with it, but keeps running on the server, with nightly backups.')
    .waitFor(patience)
  await page.getByText('Adding the server again brings it back.').waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
})
