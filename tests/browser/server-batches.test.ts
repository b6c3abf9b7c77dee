/** Several servers at once in a real browser: checked, and deleted after their number was typed. */
import { expect, test } from 'vitest'
import { visitForeign } from '../support/foreign-visit'
import { faultsInAllLooks } from '../support/page-faults'

const patience = { timeout: 40_000 }

test('selected servers are checked and deleted as batches, a deletion only after their number was typed', async () => {
  await using visit = await visitForeign({ extensions: true })
  const { page, upstream, visitor } = visit
  for (const name of ['second-01', 'third-01']) upstream.addServer({ name, state: 'ready' })
  const { origin } = new URL(visit.url)
  await page.goto(`${origin}/servers`)
  await page.getByRole('link', { name: 'third-01' }).waitFor(patience)
  for (const name of ['second-01', 'third-01']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  const bar = page.getByRole('region', { name: 'Selected servers' })
  const choose = async (label: string) => {
    await bar.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  await choose('Delete')
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete 2 servers' })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Type 2 to confirm').fill('1')
  expect(await confirm.isDisabled()).toBe(true)
  expect(await faultsInAllLooks(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await choose('Check now')
  await dialog.getByRole('button', { name: 'Check 2 servers' }).click()
  await page.getByRole('heading', { name: 'Check 2 servers' }).waitFor(patience)
  await page.getByText('2 of 2 done.').waitFor(patience)
  await page.goBack()
  for (const name of ['second-01', 'third-01']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await choose('Delete')
  await dialog.getByLabel('Type 2 to confirm').fill('2')
  await confirm.click()
  await page.getByText('2 of 2 done.').waitFor(patience)
  expect([...upstream.model.servers.values()].map(({ name }) => name)).toEqual(['foreign-01'])
  await page.goto(`${origin}/servers`)
  await page.getByRole('link', { name: 'foreign-01' }).waitFor(patience)
  expect(await page.getByRole('link', { name: 'second-01' }).count()).toBe(0)
  expect(visitor.complaints).toEqual([])
})
