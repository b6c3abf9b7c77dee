/** Limits the lines kept of a run: if there are more than can be stored or read, the others are omitted and counted. */

/** A kept line, or `count` omitted lines with the newest of them as `last`. */
export type Kept<T> = { kind: 'line'; line: T } | { kind: 'left-out'; count: number; last: T }

/** Lines count by length: up to 1,000 characters as one line, up to 2,000 as two, and so on. */
export type LineBound = {
  perSecond: number
  /** How many may arrive at once after a pause, because a service that resumes sends all missed lines together. */
  burst: number
  /** How many a run may keep in total. */
  max: number
  /** How many more lines may be kept if they report a new step or progress. */
  maxNews: number
  /** How many of the newest lines are kept at the end of a gap. */
  tail: number
}

const usualLineBound: LineBound = { perSecond: 1_000, burst: 20_000, max: 100_000, maxNews: 1_000, tail: 100 }

const charactersPerLine = 1_000

export type LineGate<T> = {
  /** Whether lines are being omitted without a report yet. */
  readonly gapOpen: boolean
  /** Accepts a line. `news`: it reports a change of the run itself, so it is kept even where others are omitted. */
  take(line: T, news: boolean): Kept<T>[]
  /** Call this when the source pauses: reports how many lines were omitted, with the newest lines. */
  pause(): Kept<T>[]
  /** Call this at the end of the run; its last line, if any, is always kept. */
  end(line: T | null): Kept<T>[]
}

/** The status of the line that replaces omitted ones; its message contains their number. */
export const leftOutStatus = 'left-out'

/** Formats "… 12,400 lines left out". */
export const formatLeftOut = (count: number): string => `… ${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'} left out`

/** Creates the gate of a run that already has `kept` lines. `now`: milliseconds of a monotonic clock. */
export function createLineGate<T>(
  lengthOf: (line: T) => number,
  kept = 0,
  bound: LineBound = usualLineBound,
  now: () => number = () => performance.now(),
): LineGate<T> {
  let [room, filledAt, total, newsLeft, full] = [bound.burst, now(), kept, bound.maxNews, false]
  let gap: { count: number; last: T; tail: T[] } | null = null

  const refill = () => {
    const at = now()
    room = Math.min(bound.burst, room + ((at - filledAt) * bound.perSecond) / 1_000)
    filledAt = at
  }
  const spend = (line: T): Kept<T> => {
    const weight = weigh(line)
    room -= weight
    total += weight
    return { kind: 'line', line }
  }
  const weigh = (line: T) => Math.max(1, Math.ceil(lengthOf(line) / charactersPerLine))
  const isOver = (weight: number) => total + weight > bound.max
  /** Once full, waits until there is room for a second's lines: one longer gap instead of one between every two lines. */
  const fits = (weight: number) => !isOver(weight) && room >= (full ? Math.min(bound.perSecond, bound.burst) : weight)

  const leaveOut = (line: T) => {
    gap ??= { count: 0, last: line, tail: [] }
    gap.count += 1
    gap.tail.push(line)
    if (gap.tail.length > bound.tail) gap.last = gap.tail.shift() ?? gap.last
  }
  const closeGap = (withTail: boolean): Kept<T>[] => {
    if (!gap) return []
    const { count, last, tail } = gap
    gap = null
    const shown = withTail ? tail : []
    const told = count - shown.length
    const mark: Kept<T>[] = told > 0 ? [{ kind: 'left-out', count: told, last: withTail ? last : (tail.at(-1) ?? last) }] : []
    return [...mark, ...shown.map(spend)]
  }

  return {
    get gapOpen() {
      return gap !== null
    },
    take(line, news) {
      refill()
      full = !fits(weigh(line))
      if (!full) return [...closeGap(true), spend(line)]
      if (news && newsLeft > 0) {
        newsLeft -= 1
        return [...closeGap(false), spend(line)]
      }
      leaveOut(line)
      return []
    },
    pause: () => (isOver(1) ? [] : closeGap(true)),
    end: (line) => [...closeGap(true), ...(line === null ? [] : [spend(line)])],
  }
}
