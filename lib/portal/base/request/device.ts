/** The origin of a request: the network peer, which throttling counts by, and the browser's user agent. */
import 'server-only'
import ipaddr from 'ipaddr.js'
import { headers } from 'next/headers'
import { forgetsForwarded } from './forwarded'

export type Device = {
  /** An IPv4 address, an IPv6 /64 network, or 'unknown'. */
  peer: string
  /** At most 200 printable characters. */
  userAgent: string
}

/** The device that sent the current request. */
export async function readDevice(): Promise<Device> {
  const sent = await headers()
  const userAgent = (sent.get('user-agent') ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200)
  return { peer: forwardedPeer(sent.get('x-forwarded-for')), userAgent }
}

/** The peer of a request with that X-Forwarded-For. */
export const forwardedPeer = (header: string | string[] | null | undefined): string =>
  forgetsForwarded() ? peerOf([header ?? []].flat().join()) : 'unknown'

/** A customer usually gets a whole IPv6 /64, so that counts as one peer. */
export function peerOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString()}/64`
}
