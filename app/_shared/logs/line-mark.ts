/** How a link identifies a line: by its text and the line before it, because a line's position changes while the log grows. */
import type { HeldLine } from './log-buffer'

/** 53 bits of the text in base 36 (cyrb53). */
function digestOf(text: string): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (4294967296 * (2097151 & other) + (one >>> 0)).toString(36)
}

export const markOf = (lines: readonly HeldLine[], index: number): string =>
  `${digestOf(lines[index]?.text ?? '')}.${digestOf(lines[index - 1]?.text ?? '')}`

/** The index of the newest line with that mark; if only the previous line differs, of the newest with the same text; -1 without one. */
export function findMark(lines: readonly HeldLine[], mark: string): number {
  const [own = '', before = ''] = mark.split('.')
  let same = -1
  for (let index = lines.length - 1; index >= 0; index--) {
    if (digestOf(lines[index]?.text ?? '') !== own) continue
    if (digestOf(lines[index - 1]?.text ?? '') === before) return index
    if (same < 0) same = index
  }
  return same
}
