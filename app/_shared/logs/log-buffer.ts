/** What was read of a log so far. A service returns a log's last part again and again, and only new lines are added. */
import type { Answer } from '@/lib/contract/operation'
import type { logs } from '@/lib/contract/operations/logs'
import type { ReadAddress } from '../reads/read-address'

export type LogAnswer = Answer<typeof logs.fetch>

/** What has logs: a server or a site. */
export type LogSource = {
  name: string
  read: (log: string) => ReadAddress<LogAnswer>
  /** A log's label. */
  format: (log: string) => string
  /** The log to show first. */
  first: string
  /** The logs to offer if a service does not list its own. */
  usual: readonly string[]
}

export type HeldLine = {
  /** From 1, in the order in which they were read; dropped lines keep their numbers. */
  number: number
  text: string
  /** Lines may be missing between the previous line and this one. */
  gap?: boolean
}

export type LogBuffer = {
  lines: readonly HeldLine[]
  /** The last line was incomplete when it was read. */
  open: boolean
}

export const maxLines = 100_000

export const emptyBuffer: LogBuffer = { lines: [], open: false }

/**
 * Adds the lines of `content` that are not yet in the buffer. If it overlaps with none, its first line is marked as following a gap.
 * `keepAll` drops none of the oldest lines, so that nothing moves while the user reads them.
 */
export function appendContent(buffer: LogBuffer, content: string, keepAll = false): LogBuffer {
  if (content === '') return buffer
  const open = !content.endsWith('\n')
  const told = (open ? content : content.slice(0, -1)).split('\n')
  // An incomplete line may have grown since.
  const held = buffer.open ? buffer.lines.slice(0, -1) : buffer.lines
  const { fresh, gap } = findFresh(held, told)
  if (fresh.length === 0 && open === buffer.open && held === buffer.lines) return buffer
  const from = (held.at(-1)?.number ?? 0) + 1
  const added = fresh.map((text, index): HeldLine => ({ number: from + index, text, ...(gap && index === 0 && { gap }) }))
  const lines = [...held, ...added]
  return { lines: keepAll ? lines : lines.slice(-maxLines), open }
}

/** The lines after those in the buffer. A service may begin in the middle of a line, which is skipped. */
function findFresh(held: readonly HeldLine[], told: readonly string[]): { fresh: readonly string[]; gap: boolean } {
  if (held.length === 0) return { fresh: told, gap: false }
  const known = overlapOf(held, told)
  if (known > 0) return { fresh: told.slice(known), gap: false }
  const rest = told.slice(1)
  const afterCut = overlapOf(held, rest)
  return afterCut > 0 ? { fresh: rest.slice(afterCut), gap: false } : { fresh: told, gap: true }
}

/** How many lines at the beginning of `told` are the last ones in the buffer: the longest match (Knuth, Morris and Pratt). */
function overlapOf(held: readonly HeldLine[], told: readonly string[]): number {
  const borders = bordersOf(told)
  let fit = 0
  for (const { text } of held.slice(-told.length)) {
    while (fit > 0 && (fit === told.length || told[fit] !== text)) fit = borders[fit - 1] ?? 0
    if (told[fit] === text) fit += 1
  }
  return fit
}

/** For each line, how many lines up to it equal those at the beginning. */
function bordersOf(told: readonly string[]): number[] {
  const borders = [0]
  let fit = 0
  for (let index = 1; index < told.length; index++) {
    while (fit > 0 && told[fit] !== told[index]) fit = borders[fit - 1] ?? 0
    if (told[fit] === told[index]) fit += 1
    borders.push(fit)
  }
  return borders
}
