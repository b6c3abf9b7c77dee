/** Opens sockets to upstream services: to addresses that were checked, and to no others. */
import 'server-only'
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { Target } from './address'
import { mayConnect } from './network'

/** Thrown before a connection when the host's address may not be connected to. */
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

// A service that went away without a word is noticed: the kernel asks after so much silence, then every second, ten times.
const keepAliveMs = 30_000

/**
 * A connector for one target. The name is looked up once a connection and the very addresses that passed are dialled,
 * so a name that changes its mind between check and connect gains nothing; SNI and Host stay the name's.
 */
export function createConnector({ origin, trusted }: Target, resolve: Resolve = resolveBySystem): buildConnector.connector {
  const plain = new URL(origin).protocol === 'http:'
  const allows = (host: string, address: string) => trusted || mayConnect({ host, address, plain })
  const connect = buildConnector({
    lookup: checkedLookup(resolve, allows),
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    allowH2: false,
    // A TLS session taken up again by another host is a known fault of older Nodes: none is kept.
    maxCachedSessions: 0,
  })
  return (options, callback) => {
    const host = options.hostname.toLowerCase()
    // Node asks no lookup for a literal address, so that is judged here.
    if (isIP(host) && !allows(host, host)) return callback(new AddressRefused(), null)
    connect(options, callback)
  }
}

/** One refused address refuses the name: a name that leads both outside and inside is nobody's honest mistake. */
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
