/** Parses sizes: bytes from the bundled service, any notation from others. */

/** Either is known. share: 0–1 of an unknown total. */
export type Size = { bytes: number; share: null } | { bytes: null; share: number }

const powers: Readonly<Record<string, number>> = { '': 0, k: 1, m: 2, g: 3, t: 4, p: 5 }

/** "12884901888", "12.4 GB", "12,4G", "41%". Units are powers of 1024. Null for anything else, also for a fraction without a unit. */
export function readSize(text: string): Size | null {
  const [, digits, unit = ''] = /^\s*(\d{1,18}(?:[.,]\d{1,6})?)\s*(%|[kmgtp]?(?:i?b)?)\s*$/i.exec(text) ?? []
  if (digits === undefined) return null
  const figure = Number(digits.replace(',', '.'))
  if (unit === '%') return figure <= 100 ? { bytes: null, share: figure / 100 } : null
  if (unit === '' && !Number.isInteger(figure)) return null
  const power = powers[unit.toLowerCase().replace(/i?b$/, '')]
  const bytes = power === undefined ? Number.NaN : figure * 1024 ** power
  return Number.isFinite(bytes) ? { bytes: Math.round(bytes), share: null } : null
}
