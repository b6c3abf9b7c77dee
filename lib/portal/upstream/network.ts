/** Which network addresses a connection may lead to. */
import 'server-only'
import ipaddr from 'ipaddr.js'
import { getSettings } from '@/lib/settings/settings'

// A public address, but inside a cloud the host's own agent answers there.
const insideClouds = new Set(['168.63.129.16'])
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is on the public internet: not loopback, private, link-local, metadata, mapped or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || insideClouds.has(parsed.toString())) return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}

/** Whether the operator listed this host's name, or a range that holds this address, in ALLOW_PRIVATE_UPSTREAMS. */
function isAllowListed(host: string, address: string | null): boolean {
  return getSettings().allowedPrivateUpstreams.some(
    (entry) => entry.toLowerCase() === host || (address !== null && isWithin(address, entry)),
  )
}

/**
 * Whether a call to `host` may connect to `address`. Plain http only where the operator allowed it, because it exposes the API key to
 * everyone on the way.
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
