/** Opens sockets to upstream services, only to checked addresses. */
import 'server-only'
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isPublicAddress, mayConnect } from '@/lib/settings/network'
import type { Target } from './address'

/** Thrown before connecting when the host's address is not allowed. */
export class AddressRefused extends Error {
  constructor() {
    super('Connections to this address are not allowed.')
    this.name = 'AddressRefused'
  }
}

/** Resolves a name to all its addresses, as Node's own `dns.lookup` does with `all`. */
export type Resolve = (host: string, answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void

const resolveBySystem: Resolve = (host, answer) => systemLookup(host, { all: true }, answer)

const connectTimeoutMs = 8_000

// Detects a service that has disappeared: the kernel probes after this much silence, then every second, ten times.
const keepAliveMs = 30_000

/**
 * A connector for one destination. Resolves the name once per connection and dials only addresses that passed the check, so that a
 * name that changes between check and connection has no effect. SNI and Host keep the name.
 */
export function createConnector({ origin, trusted, outsideOnly }: Target, resolve: Resolve = resolveBySystem): buildConnector.connector {
  const plain = new URL(origin).protocol === 'http:'
  const allows = (host: string, address: string) =>
    trusted || (outsideOnly ? !plain && isPublicAddress(address) : mayConnect({ host, address, plain }))
  const connect = buildConnector({
    lookup: checkedLookup(resolve, allows),
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    allowH2: false,
    // Older versions of Node can resume a TLS session with another host, a known bug, so sessions are not cached.
    maxCachedSessions: 0,
  })
  return (options, callback) => {
    const host = options.hostname.toLowerCase()
    // Node performs no lookup for a literal address, so it is checked here.
    if (isIP(host) && !allows(host, host)) return callback(new AddressRefused(), null)
    connect(options, callback)
  }
}

/** One refused address refuses the whole name: no legitimate name resolves to both public and private addresses. */
function checkedLookup(resolve: Resolve, allows: (host: string, address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, addresses) => {
      if (error) return callback(error, '')
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => allows(host.toLowerCase(), address))) return callback(new AddressRefused(), '')
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
