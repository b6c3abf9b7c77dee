/** The addresses of a target, as the service's machine resolves them. */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { mayConnect } from '@/lib/settings/network'
import { resticFailure } from './failure'

/** The addresses of a name; none if it has none. */
export type Resolve = (host: string) => Promise<string[]>

export const resolveName: Resolve = async (host) => {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => address)
}

/** plain: by plain http, which is permitted only to what the settings allow. Throws MachineFailure if any of its addresses is forbidden, or it has none. */
export async function requirePermitted(host: string, plain: boolean, resolve: Resolve): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) throw resticFailure('unreachable')
  if (!addresses.every((address) => mayConnect({ host, address, plain }))) throw resticFailure('address')
  return addresses
}
