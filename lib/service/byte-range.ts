/** The part of a file that a request asks for (RFC 9110, section 14). */

/** to: the first byte that is not wanted. */
type ByteRange = { from: number; to: number }

/** Null for the whole file: also if the header cannot be read, asks for several parts, or is about another version of the file. */
export function readRange(headers: Pick<Headers, 'get'>, size: number, tag: string): ByteRange | 'unsatisfiable' | null {
  const header = headers.get('range')
  const version = headers.get('if-range')
  if (header === null || (version !== null && version !== tag)) return null
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return from < to ? { from, to } : unsatisfiable(first, last)
}

/** A range whose end is before its beginning is none. */
const unsatisfiable = (first: string, last: string) =>
  first !== '' && last !== '' && Number(last) < Number(first) ? null : ('unsatisfiable' as const)
