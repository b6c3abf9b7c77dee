/** Which lines of a run are kept when there are more than can be stored or read: the others are omitted and counted. */

/** A line that is kept, or `count` omitted lines; `last` is the newest of those. */
export type Kept<T> = { kind: 'line'; line: T } | { kind: 'left-out'; count: number; last: T }

/** Lines count by length: one up to 1,000 characters as one, up to 2,000 as two, and so on. */
export type LineBound = {
  perSecond: number
  /** How many may arrive at once after a pause: a service that resumes sends what was missed in one piece. */
  burst: number
  /** How many a run keeps in total. */
  max: number
  /** How many lines with news about the run (a step, progress) are kept beyond that. */
  maxNews: number
  /** How many of the newest lines are kept at the end of a gap. */
  tail: number
}

const usualLineBound: LineBound = { perSecond: 1_000, burst: 20_000, max: 100_000, maxNews: 1_000, tail: 100 }

const charactersPerLine = 1_000

export type LineGate<T> = {
  /** Whether lines are being omitted and not reported yet. */
  readonly gapOpen: boolean
  /** Takes a line. `news`: it says something about the run itself, and is kept where others are not. */
  take(line: T, news: boolean): Kept<T>[]
  /** The source fell silent: reports how many lines were omitted, with the newest lines. */
  pause(): Kept<T>[]
  /** The run is over; its last line, where it has one, is always kept. */
  end(line: T | null): Kept<T>[]
}

/** The status of the line that replaces omitted ones; its message says how many. */
export const leftOutStatus = 'left-out'

/** Reads "… 12,400 lines left out". */
export const formatLeftOut = (count: number): string => `… ${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'} left out`

/** A gate for one run that has kept `kept` lines so far. `now`: milliseconds of a monotonic clock. */
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
  /** Once full, waits for a second's worth of room: an occasional gap, instead of one between every two lines. */
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
