/** What every provider must do to count the requests of sites over HTTP. */
import { expect } from 'vitest'
import { get, type Target } from '../support/caller'
import { createSite, deleteSite } from '../support/slow-work'
import { newSite, type SitesTarget } from './sites'

const domain = 'traffic.example.org'

type Hour = Record<'requests' | 'client_errors' | 'server_errors', number>

type Traffic = { from: string; hours: Hour[]; whole: boolean; status?: number; first_byte_ms?: number }

async function readTraffic(target: Target, id: string): Promise<Traffic> {
  const { status, body } = await get(target, `/sites/${id}/traffic`)
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return (body.item as Traffic[])[0] as Traffic
}

/**
 * stranger: the same service with the key of another account. visit: makes requests of the site, if there are no simulated ones. Leaves the server
 * without the site that it creates.
 */
export async function proveTraffic(target: SitesTarget, stranger: Target, visit: (domain: string) => Promise<void> = async () => {}) {
  const id = String((await createSite(target, newSite(target, domain))).body.id)
  await visit(domain)
  const traffic = await readTraffic(target, id)
  expect(traffic).toMatchObject({ whole: true, status: 200, first_byte_ms: expect.any(Number) })
  expect(traffic.hours).toHaveLength(24)
  const hourMs = 3_600_000
  expect(Date.now() - Date.parse(traffic.from)).toSatisfy((ms: number) => ms >= 23 * hourMs && ms < 24 * hourMs + 60_000)
  for (const { requests, client_errors: client, server_errors: server } of traffic.hours) {
    expect(client + server).toBeLessThanOrEqual(requests)
  }
  expect(JSON.stringify(traffic)).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
  for (const [who, which] of [[target, 'no-such-site'] as const, [stranger, id] as const])
    expect(await get(who, `/sites/${which}/traffic`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
  return traffic
}
