/** The source of traffic: everywhere, one address, or a network. */
import ipaddr from 'ipaddr.js'

/** text: as UFW writes it, in the shortest form with host bits cleared. bytes: the network's address. */
export type Source = { family: 4 | 6; bytes: readonly number[]; bits: number; text: string }

/** null for everywhere, in both families. */
export type From = Source | null

/** The words for everywhere, as displayed and as typed. */
const everywhere = new Set(['', 'any', 'anywhere', 'anywhere (v6)'])

/** Undefined if the text is neither an address nor a network. */
export function parseFrom(text: string): From | undefined {
  const word = text.trim().toLowerCase()
  return everywhere.has(word) ? null : parseSource(word)
}

export function parseSource(text: string): Source | undefined {
  const [address = '', length, ...rest] = text.split('/')
  if (rest.length > 0 || !isAddress(address) || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined
  const parsed = ipaddr.parse(address)
  const family = parsed.kind() === 'ipv4' ? 4 : 6
  const maxPrefix = family === 4 ? 32 : 128
  const bits = length === undefined ? maxPrefix : Number(length)
  if (bits > maxPrefix) return undefined
  const bytes = parsed.toByteArray().map((byte, place) => byte & maskOf(bits - place * 8))
  const shown = ipaddr.fromByteArray(bytes).toString()
  return { family, bytes, bits, text: bits === maxPrefix ? shown : `${shown}/${bits}` }
}

/** Four numbers without leading zeros, or an IPv6 address without a zone: the forms that all programs parse the same way. */
const isAddress = (text: string): boolean =>
  text.includes(':') ? /^[\da-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)

/** The mask for a byte if the network has this many bits from that byte on. */
const maskOf = (bits: number): number => (bits >= 8 ? 255 : bits <= 0 ? 0 : (255 << (8 - bits)) & 255)

/** Whether `outer` includes all addresses of `inner`. */
export function holds(outer: From, inner: From): boolean {
  if (outer === null) return true
  if (inner === null) return false
  if (outer.family !== inner.family || outer.bits > inner.bits) return false
  return outer.bytes.every((byte, place) => byte === ((inner.bytes[place] ?? 0) & maskOf(outer.bits - place * 8)))
}

/** Everywhere within one family is a network of zero bits; in a rule of one family, "any" means the same. */
export const isWhole = (source: Source): boolean => source.bits === 0
