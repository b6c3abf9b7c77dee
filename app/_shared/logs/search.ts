import { withoutAnsi } from '../../_ui/ansi'
import type { HeldLine } from './log-buffer'

/** The indexes of all lines that contain the text, ignoring case. An empty text matches nothing. */
export function findLines(lines: readonly HeldLine[], words: string): number[] {
  const wanted = words.toLowerCase()
  if (wanted === '') return []
  const found: number[] = []
  for (const [index, { text }] of lines.entries()) if (withoutAnsi(text).toLowerCase().includes(wanted)) found.push(index)
  return found
}
