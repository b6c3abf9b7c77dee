import { toAsciiDomain, toReadableDomain } from '@/lib/text/idn'

/** A domain of another script in its other form; null for one in plain letters, and for text that is no domain yet. */
export function explainDomain(typed: string): string | null {
  const ascii = toAsciiDomain(typed)
  if (ascii === null) return null
  const given = typed.trim().toLowerCase()
  if (ascii !== given) return `In the DNS: ${ascii}`
  const readable = toReadableDomain(ascii)
  return readable === ascii ? null : `Reads as ${readable}`
}
