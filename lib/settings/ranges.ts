/** Parses and compares ranges of network addresses. */
import ipaddr from 'ipaddr.js'

export type Range = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, prefixBits: number]

/** Parses addresses and CIDR ranges; returns the first text that is neither as `notARange`. */
export function parseRanges(texts: readonly string[]): readonly Range[] | { notARange: string } {
  const ranges: Range[] = []
  for (const text of texts) {
    const range = parseRange(text)
    if (range === null) return { notARange: text }
    ranges.push(range)
  }
  return ranges
}

function parseRange(text: string): Range | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  // The library accepts short forms such as "10" as addresses, which are always mistakes.
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether an address is in one of the ranges. An IPv4-mapped IPv6 address counts as IPv4. False if the text is not an address. */
export function isInRanges(address: string, ranges: readonly Range[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return ranges.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
}
