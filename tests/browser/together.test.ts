/** Three members at one server at once: each sees who else looks, and nobody overwrites what another one changed. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from '../support/page-faults'
import { joinQuickly } from '../support/quick-set-up'
import { type SandboxVisit, visitSandbox } from '../support/sandbox-visit'

let visit: SandboxVisit
let mira: Page
let robin: Page
let vera: Page

beforeAll(async () => {
  visit = await visitSandbox('harbour-01')
  const { gatehouse, place, owner, visitor } = visit
  mira = visit.page
  robin = await visitor.another()
  vera = await visitor.another()
  await joinQuickly(robin, place, gatehouse, owner, { name: 'Robin Ekholm', role: 'operator' })
  await joinQuickly(vera, place, gatehouse, owner, { name: 'Vera Sandoval', role: 'viewer' })
  await owner.install(visit.id)
  await mira.goto(at('/install'))
  await mira.getByText('is installed.').waitFor({ timeout: 60_000 })
})

afterAll(async () => {
  expect(visit?.visitor.complaints).toEqual([])
  await visit?.[Symbol.asyncDispose]()
})

const at = (path: string) => `${visit.gatehouse.url}/servers/${visit.id}${path}`

test('each of three members sees the other two on a server that all have open', async () => {
  await Promise.all([robin, vera].map((page) => page.goto(at(''))))
  await mira.goto(at(''))
  await mira.getByRole('img', { name: 'Also looking at this server: Robin Ekholm, Vera Sandoval' }).waitFor({ timeout: 20_000 })
  await robin.reload()
  await robin.getByRole('img', { name: 'Also looking at this server: Mira Lindqvist, Vera Sandoval' }).waitFor({ timeout: 20_000 })
  for (const width of [390, 1366]) {
    await mira.setViewportSize({ width, height: 844 })
    expect(await faultsOf(mira)).toEqual([])
  }
  // On a phone they share the line of the state, so that the tabs do not move when somebody comes.
  await mira.setViewportSize({ width: 390, height: 844 })
  const [state, names] = await Promise.all(
    [mira.locator('main header').getByRole('button', { name: 'Label' }), mira.getByRole('img', { name: /^Also looking/ })].map((part) =>
      part.boundingBox(),
    ),
  )
  expect(Math.abs((names?.y ?? 0) - (state?.y ?? 1000))).toBeLessThan(12)
  await vera.goto(at('/settings'))
  await vera.getByText('You have view-only access.').waitFor()
  expect(await vera.getByRole('button', { name: /^(Edit|Save|Delete)/ }).count()).toBe(0)
})

/** Changes the name in place; resolves once it is stored or refused. */
async function rename(page: Page, name: string): Promise<void> {
  await page.getByLabel('New name').fill(name)
  await page.getByRole('button', { name: 'Save name' }).click()
}

test('a name that somebody else changed meanwhile is kept or overwritten knowingly', async () => {
  await Promise.all([mira, robin].map((page) => page.goto(at('/settings'))))
  for (const page of [mira, robin]) await page.getByRole('button', { name: 'Edit name' }).first().click()
  await rename(mira, 'harbour-north')
  await mira.getByText('The name was changed.').waitFor()
  await rename(robin, 'harbour-south')
  await robin.getByText(/^Mira Lindqvist changed this on .* to “harbour-north” while you were editing\.$/).waitFor()
  await robin.getByRole('button', { name: 'Keep theirs' }).click()
  await robin.getByRole('heading', { name: 'harbour-north' }).waitFor()
  for (const page of [mira, robin]) await page.getByRole('button', { name: 'Edit name' }).first().click()
  await rename(mira, 'harbour-east')
  await mira.getByRole('heading', { name: 'harbour-east' }).waitFor()
  // The heading shows what was sent; until it is stored, there is nothing to overwrite.
  await mira.getByText('Saving…').waitFor({ state: 'detached' })
  await rename(robin, 'harbour-west')
  await robin.getByRole('button', { name: 'Overwrite' }).press('Enter')
  await robin.getByRole('heading', { name: 'harbour-west' }).waitFor()
})

test('a hostname that somebody else changed meanwhile is overwritten only by a second click', async () => {
  await Promise.all([mira, robin].map((page) => page.goto(at('/settings'))))
  const change = async (page: Page, to: string) => {
    await page.getByRole('textbox', { name: 'Hostname' }).fill(to)
    await page.getByRole('button', { name: 'Save hostname' }).click()
  }
  await change(mira, 'north.example.org')
  await mira.getByText('Hostname changed to north.example.org.').waitFor()
  await change(robin, 'south.example.org')
  await robin.getByText(/^Mira Lindqvist changed this on .* to “north\.example\.org” while you were editing\.$/).waitFor()
  expect(await faultsOf(robin)).toEqual([])
  await robin.getByRole('button', { name: 'Overwrite' }).click()
  await robin.getByText('Hostname changed to south.example.org.').waitFor()
})

test('a cron job that somebody else edited meanwhile is kept; the own text can be saved beside it', async () => {
  await mira.goto(at('/cron'))
  await mira.getByRole('button', { name: 'Add job' }).first().click()
  await mira.getByLabel('Command').fill('/usr/local/bin/report daily')
  await mira.getByRole('dialog').getByRole('button', { name: 'Add job' }).click()
  await mira.getByText('The job was saved.').waitFor()
  await robin.goto(at('/cron'))
  const edit = async (page: Page, command: string) => {
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Command').fill(command)
  }
  await edit(robin, '/usr/local/bin/report weekly')
  await edit(mira, '/usr/local/bin/digest daily')
  await mira.getByRole('button', { name: 'Save job' }).click()
  await mira.getByText('The job was changed.').waitFor()
  await robin.getByRole('button', { name: 'Save job' }).click()
  await robin.getByText(/^Mira Lindqvist changed this job to “30 4 \* \* \* \/usr\/local\/bin\/digest …” on .* UTC\.$/).waitFor()
  expect(await robin.getByRole('button', { name: 'Keep theirs' }).count()).toBe(1)
  await robin.getByRole('button', { name: 'Save mine as a new job' }).click()
  await robin.getByText('/usr/local/bin/report weekly').first().waitFor()
  await robin.getByText('/usr/local/bin/digest daily').first().waitFor()
})
