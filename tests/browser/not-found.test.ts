/** An address without a page: reported with links to other pages, and not logged as denied in Activity. */
import { expect, test } from 'vitest'
import { enterPassword } from '../support/first-steps'
import { faultsInAllLooks } from '../support/page-faults'
import { query } from '../support/place-database'
import { visitSandbox } from '../support/sandbox-visit'

test('a mistyped address shows the portal with links, offers signed-out users to sign in, and is not logged as denied', async () => {
  await using visit = await visitSandbox('harbour-01')
  const { page, gatehouse, place, visitor, id } = visit
  const ways = page.getByRole('main').getByRole('link', { name: 'View servers' })
  const mistyped = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`
  for (const path of [
    '/serverz',
    '/servers/nobody',
    `/servers/${mistyped}`,
    `/servers/${mistyped}/cron`,
    `/servers/${id}/crom`,
    `/jobs/${mistyped}`,
  ]) {
    const response = await page.goto(gatehouse.url + path)
    expect([path, response?.status()]).toEqual([path, 404])
    await ways.waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' }).waitFor()
    expect([path, await page.title()]).toEqual([path, 'Not found · Gatehouse'])
  }
  expect(await faultsInAllLooks(page)).toEqual([])
  expect(await query(place, 'portal', "SELECT action FROM AuditRow WHERE outcome = 'denied'")).toEqual([])
  await page.goto(`${gatehouse.url}/activity`)
  expect(await page.getByRole('table', { name: 'Activity' }).getByText('Denied').count()).toBe(0)

  const stranger = await visitor.another()
  await stranger.goto(`${gatehouse.url}/serverz?q=1#x`)
  await stranger.getByRole('link', { name: 'Sign in', exact: true }).click()
  await enterPassword(stranger)
  await stranger.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(visitor.complaints).toEqual([])
})
