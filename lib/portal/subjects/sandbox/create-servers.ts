/** Twelve simulated servers at once, to look around with: each made by the spine, like any other server. */
import 'server-only'
import { randomInt } from 'node:crypto'
import { contract } from '@/lib/contract'
import type { Outcome } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'

/** What each is called, and who runs its DNS. One is slow, one does not always answer, one breaks down when installed. */
const dozen: readonly [name: string, dns: string][] = [
  ['web-fra-01', 'Cloudflare'],
  ['web-fra-02', 'Cloudflare'],
  ['slow-web-osl-01', 'Hetzner'],
  ['app-ams-01', 'Route 53'],
  ['app-ams-02', 'Route 53'],
  ['flaky-app-sgp-01', 'Route 53'],
  ['db-fra-01', ''],
  ['db-fra-02', ''],
  ['fail-mail-ber-01', 'Hetzner'],
  ['shop-par-01', 'deSEC'],
  ['cache-fra-01', ''],
  ['backup-osl-01', ''],
]

/** Stops at the first refusal, for the others would meet the same. Answers how many were made. */
export async function createSandboxServers(actor: Actor, connectionId: string): Promise<Outcome<{ made: number }>> {
  // Two simulated servers cannot share an address, and the dozen may be made again.
  const group = randomInt(1_000_000)
  const make = ([name, dns]: (typeof dozen)[number]) => {
    const login = { host: `${name}.n${group}.sandbox.test`, port: '22', user: 'root', pass: 'sandbox' }
    const fields = { provider: 'sandbox', name, dns, region: '', type: '', ...login }
    return runOperation(actor, contract.servers.create, { connectionId }, fields)
  }
  const [first, ...others] = dozen
  if (!first) return { ok: true, data: { made: 0 } }
  const tried = await make(first)
  if (!tried.ok) return tried
  const outcomes = await Promise.all(others.map(make))
  return { ok: true, data: { made: 1 + outcomes.filter(({ ok }) => ok).length } }
}
