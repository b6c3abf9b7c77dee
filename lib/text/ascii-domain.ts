/** The ASCII form (punycode) of domain names, by which both halves decide: a pinned library, because versions of Node take different names. */
import { toASCII } from 'tr46'

// Pages use idn.ts to show names: the tables of this library are large.

const maxLength = 253

/** "München.de" → "xn--mnchen-3ya.de". Null for text that is no domain name, such as one with a label in punycode that stands for nothing. */
export function toAsciiDomain(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  if (text === '' || text.length > maxLength || /[\s/\\?#@:%[\]]/.test(text)) return null
  if (/^[a-z0-9._-]+$/.test(text) && !text.includes('xn--')) return text
  return toASCII(text, { checkBidi: true, checkJoiners: true })
}

/** Whether two names mean the same domain. */
export const isSameDomain = (one: string, other: string): boolean =>
  one === other || (toAsciiDomain(one) ?? one) === (toAsciiDomain(other) ?? other)
