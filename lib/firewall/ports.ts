/** The ports of a rule: all, or a list of single ports and ranges. */

export type Range = { first: number; last: number }

/** null for all. */
export type Ports = readonly Range[] | null

/** The kernel accepts 15 numbers per rule; a range counts as two. */
const maxNumbers = 15

/** Undefined unless the text is a list of ports. Sorted as UFW sorts them. */
export function parsePorts(text: string): Ports | undefined {
  const word = text.trim().toLowerCase()
  if (word === '' || word === 'any' || word === 'anywhere') return null
  const ranges = word.split(',').map(parseRange)
  if (!ranges.every((range) => range !== undefined)) return undefined
  const numbers = ranges.reduce((sum, { first, last }) => sum + (first === last ? 1 : 2), 0)
  if (numbers > maxNumbers || new Set(ranges.map(formatRange)).size < ranges.length) return undefined
  return ranges.toSorted((one, other) => one.first - other.first || one.last - other.last)
}

function parseRange(text: string): Range | undefined {
  const match = /^([1-9]\d{0,4})(?::([1-9]\d{0,4}))?$/.exec(text)
  if (!match) return undefined
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  return last > 65_535 || (match[2] !== undefined && last <= first) ? undefined : { first, last }
}

const formatRange = ({ first, last }: Range): string => (first === last ? String(first) : `${first}:${last}`)

export const formatPorts = (ports: Ports): string => (ports === null ? 'any' : ports.map(formatRange).join(','))

/** Several ports require a protocol. */
export const isSeveral = (ports: Ports): boolean => ports !== null && (ports.length > 1 || ports.some(({ first, last }) => first !== last))

/** Whether both have a port in common. */
export function sharePorts(one: Ports, other: Ports): boolean {
  if (one === null || other === null) return true
  return one.some((range) => other.some(({ first, last }) => first <= range.last && range.first <= last))
}

/** Whether `outer` contains all ports of `inner`. */
export function holdsPorts(outer: Ports, inner: Ports): boolean {
  if (outer === null) return true
  if (inner === null) return false
  return inner.every((range) => outer.some(({ first, last }) => first <= range.first && range.last <= last))
}
