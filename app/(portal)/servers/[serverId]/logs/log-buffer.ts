/** What was read of a log so far. A log is told by its last part again and again: only what is new is added. */

export type HeldLine = {
  /** From 1, in the order in which they were read; lines that were let go take theirs with them. */
  number: number
  text: string
  /** Between the line before and this one others may be missing. */
  gap?: boolean
}

export type LogBuffer = {
  lines: readonly HeldLine[]
  /** The last line had no end yet when it was read. */
  open: boolean
}

export const maxLines = 100_000

export const emptyBuffer: LogBuffer = { lines: [], open: false }

/**
 * With the lines of `content` that were not held yet. Where nothing of it is known, its first line is marked as coming
 * after a gap. `keepAll` lets none of the oldest go, so that nothing moves under whoever reads them.
 */
export function appendContent(buffer: LogBuffer, content: string, keepAll = false): LogBuffer {
  if (content === '') return buffer
  const open = !content.endsWith('\n')
  const told = (open ? content : content.slice(0, -1)).split('\n')
  // A line that had no end yet may have grown since.
  const held = buffer.open ? buffer.lines.slice(0, -1) : buffer.lines
  const { fresh, gap } = findFresh(held, told)
  if (fresh.length === 0 && open === buffer.open && held === buffer.lines) return buffer
  const from = (held.at(-1)?.number ?? 0) + 1
  const added = fresh.map((text, index): HeldLine => ({ number: from + index, text, ...(gap && index === 0 && { gap }) }))
  const lines = [...held, ...added]
  return { lines: keepAll ? lines : lines.slice(-maxLines), open }
}

/** The lines after those that are held. A service may tell a part that begins in the middle of a line: that one is passed by. */
function findFresh(held: readonly HeldLine[], told: readonly string[]): { fresh: readonly string[]; gap: boolean } {
  if (held.length === 0) return { fresh: told, gap: false }
  const known = overlapOf(held, told)
  if (known > 0) return { fresh: told.slice(known), gap: false }
  const rest = told.slice(1)
  const afterCut = overlapOf(held, rest)
  return afterCut > 0 ? { fresh: rest.slice(afterCut), gap: false } : { fresh: told, gap: true }
}

/** How many lines at the beginning of `told` are the last ones held: the most that fit (Knuth, Morris and Pratt). */
function overlapOf(held: readonly HeldLine[], told: readonly string[]): number {
  const borders = bordersOf(told)
  let fit = 0
  for (const { text } of held.slice(-told.length)) {
    while (fit > 0 && (fit === told.length || told[fit] !== text)) fit = borders[fit - 1] ?? 0
    if (told[fit] === text) fit += 1
  }
  return fit
}

/** For each line, how many lines up to it are the same as those at the beginning. */
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
