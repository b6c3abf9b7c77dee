/** How much of its work a part does without letting the event loop turn, for parts that are tested within the test's own process. */
import { readFileSync } from 'node:fs'

/** stalled: the longest piece of the work between two turns of the event loop, as a fraction of all of it. */
export type Stall<T> = { result: T; stalled: number }

const tickMs = 5

/** Milliseconds of the processor that this thread has had. */
const readRanMs = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6

/**
 * Runs `act` and compares the most processor time between two turns of the event loop with all that it took: 1 for a loop that
 * never turned. How fast the machine is cancels out, and what others take of it does not count; nor does waiting, which
 * event-loop-monitor measures. For work of a second and more: of little work one piece is always much.
 */
export async function measureStall<T>(act: () => Promise<T>): Promise<Stall<T>> {
  const startedAt = readRanMs()
  let [ranMs, longest] = [startedAt, 0]
  const tick = () => {
    const now = readRanMs()
    longest = Math.max(longest, now - ranMs)
    ranMs = now
  }
  const timer = setInterval(tick, tickMs)
  try {
    const result = await act()
    tick()
    return { result, stalled: longest / (ranMs - startedAt) }
  } finally {
    clearInterval(timer)
  }
}
