/** The overviews of a server and of a site, which lead with their state: on the sandbox, and of a service that tells less. */
import { expect, test } from 'vitest'
import { visitForeignSite } from '../support/foreign-site'
import { faultsInAllLooks } from '../support/page-faults'
import { installWithSites } from '../support/sandbox-sites'
import { visitSandbox } from '../support/sandbox-visit'

const patience = { timeout: 60_000 }

test('a server shows its usage, services, sites and last changes; a service is restarted after a confirmation', async () => {
  await using visit = await visitSandbox('web-fra-01')
  const { page, id, gatehouse } = visit
  await installWithSites(visit, ['shop.northwind.example', 'down.harbour.example'])
  await page.goto(`${gatehouse.url}/servers/${id}`)
  const section = (title: string) => page.getByRole('region', { name: title })
  await section('Services').getByText('Apache').waitFor(patience)
  expect(await section('Services').getByRole('button', { name: 'Restart SSH' }).count()).toBe(0)
  expect(await section('Sites').getByRole('link').allInnerTexts()).toEqual(
    expect.arrayContaining(['shop.northwind.example', 'down.harbour.example']),
  )
  // The rates need a second answer, five seconds later.
  await expect.poll(() => page.locator('main').innerText(), patience).toMatch(/CPU\s+\d+ %/)
  expect(await faultsInAllLooks(page)).toEqual([])

  await section('Services').getByRole('button', { name: 'Restart MariaDB' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restart MariaDB?' })
  await dialog.getByText('Sites have no database for a few seconds').waitFor(patience)
  await dialog.getByRole('button', { name: 'Restart MariaDB' }).click()
  await page.getByText('MariaDB was restarted.').waitFor(patience)
  await section('Last changes').getByText('Restarted the service mariadb.service').waitFor(patience)

  await section('Sites').getByRole('link', { name: 'shop.northwind.example' }).click()
  await page.getByText(/^First byte after \d+ ms/).waitFor(patience)
  await page.getByText(/^[\d,]+ requests?, .* \(4xx\), .* \(5xx\)$/).waitFor(patience)
  expect(await faultsInAllLooks(page)).toEqual([])
})

test('a service without extensions has no services, no requests and no parts that it does not report', async () => {
  await using scene = await visitForeignSite('Overview', {}, {})
  const { page } = scene
  await page.getByText('Last backup').waitFor(patience)
  expect(await page.getByText('Last 24 hours').count()).toBe(0)
  expect(scene.upstream.callsTo('GET', `${scene.sitePath}/traffic`)).toEqual([])
})
