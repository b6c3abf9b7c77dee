/** Whether restic may connect to a target from the service's machine: the rules that the portal has for its own connections. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { mayConnect } from '@/lib/settings/network'
import { resticFailure } from './failure'

/** endpoint: an origin. Throws MachineFailure if any of its addresses is forbidden, or it has none. */
export async function requireReach(endpoint: string): Promise<void> {
  const url = new URL(endpoint)
  const [host, plain] = [url.hostname.replace(/^\[|\]$/g, '').toLowerCase(), url.protocol === 'http:']
  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) throw resticFailure('unreachable')
  if (!addresses.every((address) => mayConnect({ host, address, plain }))) throw resticFailure('address')
}

async function resolve(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}
