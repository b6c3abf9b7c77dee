/** Sites that an earlier version of Gatehouse set up: what the server's page says of them, bringing them up to date, and taking that back. */
import { expect, test } from 'vitest'
import { faultsInAllLooks } from '../support/page-faults'
import { installWithSites } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 60_000 }

test('the server’s page names sites of an earlier version; they are brought up to date live, and that is undone', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, id, visitor } = visit
  const domains = ['old.northwind.test', 'old.a-very-long-name-of-a-customer-that-nobody-shortens.northwind.test']
  await installWithSites(visit, [...domains, 'shop.northwind.test'])
  const server = `${gatehouse.url}/servers/${id}`
  await page.goto(server)
  await page.getByText('2 sites were set up by an earlier version of Gatehouse.').waitFor(patience)
  await page.getByText(domains.join(', ')).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])

  const { page: viewer } = await visit.join('Vera Lindqvist', 'viewer')
  await viewer.goto(server)
  await viewer.getByText('2 sites were set up by an earlier version of Gatehouse.').waitFor(patience)
  expect(await viewer.getByRole('button', { name: 'Bring up to date' }).isEnabled()).toBe(false)

  await page.getByRole('button', { name: 'Update at night' }).first().click()
  await page.getByText('Gatehouse does it at night, between 4 and 6 o’clock').waitFor(patience)
  await page
    .getByText(/^Brought up to date at night, between 4 and 6 o’clock/)
    .first()
    .waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])

  await page.getByRole('button', { name: 'Bring up to date' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/jobs\/[^/]+$/)
  await page.getByText('harbour-01 is up to date.').waitFor(patience)
  // Whoever comes later sees the same log.
  await viewer.goto(page.url())
  await viewer.getByText('harbour-01 is up to date.').waitFor(patience)
  expect(await viewer.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.goto(server)
  await page.getByRole('heading', { name: 'harbour-01' }).first().waitFor()
  await expect.poll(() => page.getByText('set up by an earlier version').count(), patience).toBe(0)

  await page.goBack()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog', { name: 'Undo bringing harbour-01 up to date?' }).waitFor()
  expect(await faultsInAllLooks(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('harbour-01 is as it was before.').waitFor(patience)
  await page.getByRole('link', { name: 'View server' }).first().click()
  await page.getByText('2 sites were set up by an earlier version of Gatehouse.').waitFor(patience)
  expect(visitor.complaints).toEqual([])
})
