/** Where traffic comes from: everywhere, one address, or the network it is in. */
import ipaddr from 'ipaddr.js'

/** text: as UFW writes it, host bits cleared and shortest. bytes: the network's address. */
export type Source = { family: 4 | 6; bytes: readonly number[]; bits: number; text: string }

/** null for everywhere, in either family. */
export type From = Source | null

/** The words that mean everywhere, as rules are shown and as they are typed. */
const everywhere = new Set(['', 'any', 'anywhere', 'anywhere (v6)'])

/** Undefined for what is neither an address nor a network. */
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

/** Four numbers without leading zeros, or an IPv6 address without a zone: readings that all programs share. */
const isAddress = (text: string): boolean =>
  text.includes(':') ? /^[\da-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text) : ipaddr.IPv4.isValidFourPartDecimal(text)

/** The part of a byte that belongs to a network with so many bits from that byte on. */
const maskOf = (bits: number): number => (bits >= 8 ? 255 : bits <= 0 ? 0 : (255 << (8 - bits)) & 255)

/** Whether all that comes from `inner` comes from `outer`. */
export function holds(outer: From, inner: From): boolean {
  if (outer === null) return true
  if (inner === null) return false
  if (outer.family !== inner.family || outer.bits > inner.bits) return false
  return outer.bytes.every((byte, place) => byte === ((inner.bytes[place] ?? 0) & maskOf(outer.bits - place * 8)))
}

/** Everywhere within one family is written as a network of no bits; a rule of one family means the same by "any". */
export const isWhole = (source: Source): boolean => source.bits === 0
