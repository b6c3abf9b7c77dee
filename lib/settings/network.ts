/** Which network addresses connections to services and backup targets may use. */
import ipaddr from 'ipaddr.js'
import { getSettings } from './settings'

// A public address that, inside a cloud, reaches the host's own agent.
const insideClouds = new Set(['168.63.129.16'])
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is on the public internet: not loopback, private, link-local, metadata, mapped or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || insideClouds.has(parsed.toString())) return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}

/** Whether ALLOW_PRIVATE_UPSTREAMS contains the host's name or a range with this address. */
function isAllowListed(host: string, address: string | null): boolean {
  return getSettings().allowedPrivateUpstreams.some(
    (entry) => entry.toLowerCase() === host || (address !== null && isWithin(address, entry)),
  )
}

/**
 * Whether a call to `host` may connect to `address`. Plain http only if the operator allowed it, because it exposes the API key to
 * everyone on the network path.
 */
export function mayConnect({ host, address, plain }: { host: string; address: string; plain: boolean }): boolean {
  return isAllowListed(host, address) || (!plain && isPublicAddress(address))
}

function isWithin(address: string, entry: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const range = parseRange(entry)
  return range !== null && parsed.kind() === range[0].kind() && parsed.match(range)
}

function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.isValid(entry)) return null
  const single = ipaddr.process(entry)
  return [single, single.kind() === 'ipv4' ? 32 : 128]
}
