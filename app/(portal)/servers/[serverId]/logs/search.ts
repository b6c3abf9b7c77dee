import { withoutAnsi } from '../../../../_ui/ansi'
import type { HeldLine } from './log-buffer'

/** The places of all lines in which the words stand as typed, large or small. Empty words are found nowhere. */
export function findLines(lines: readonly HeldLine[], words: string): number[] {
  const wanted = words.toLowerCase()
  if (wanted === '') return []
  const found: number[] = []
  for (const [index, { text }] of lines.entries()) if (withoutAnsi(text).toLowerCase().includes(wanted)) found.push(index)
  return found
}
