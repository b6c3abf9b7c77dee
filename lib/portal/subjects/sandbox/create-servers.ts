/** Creates twelve sandbox servers to explore, each through the spine like any other server. */
import 'server-only'
import { randomInt } from 'node:crypto'
import { contract } from '@/lib/contract'
import type { Outcome } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import { runOperation } from '../spine'

/** Names and DNS providers. One is slow, one answers only sometimes, one fails to install. */
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

/** Stops at the first refusal, because the others would be refused too. Returns the number of servers created. */
export async function createSandboxServers(actor: Actor, connectionId: string): Promise<Outcome<{ made: number }>> {
  // Addresses of sandbox servers must be unique, and a user may create the twelve again.
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
