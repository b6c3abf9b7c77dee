/** How long the test's own process computes without letting its event loop turn, for parts that are tested within it. */
import { readFileSync } from 'node:fs'

export type Stall<T> = { result: T; stallMs: number }

const tickMs = 5

/** Milliseconds of the processor that this thread has had. */
const readRanMs = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6

/**
 * Runs `act` and gives the most processor time between two turns of the event loop meanwhile, that of a loop that never
 * turned included. What a busy machine takes away does not count; nor does waiting, which event-loop-monitor measures.
 */
export async function measureStall<T>(act: () => Promise<T>): Promise<Stall<T>> {
  let [ranMs, longest] = [readRanMs(), 0]
  const tick = () => {
    const now = readRanMs()
    longest = Math.max(longest, now - ranMs)
    ranMs = now
  }
  const timer = setInterval(tick, tickMs)
  try {
    const result = await act()
    tick()
    return { result, stallMs: longest }
  } finally {
    clearInterval(timer)
  }
}
