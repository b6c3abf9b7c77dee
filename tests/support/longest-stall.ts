/** How long the event loop of the test's own process stood still, for parts that are tested within it. */
import { readFileSync } from 'node:fs'

export type Stall<T> = { result: T; stallMs: number }

const tickMs = 5

/** Milliseconds for which this thread was ready to run while the kernel ran others. */
const readWaitedMs = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6

/**
 * Runs `act` and measures the longest time between two turns of the event loop meanwhile, that of a loop that never turned
 * included. Time that a busy machine takes away does not count.
 */
export async function measureStall<T>(act: () => Promise<T>): Promise<Stall<T>> {
  let [at, waitedMs, longest] = [performance.now(), readWaitedMs(), 0]
  const tick = () => {
    const [now, waited] = [performance.now(), readWaitedMs()]
    longest = Math.max(longest, now - at - tickMs - (waited - waitedMs))
    at = now
    waitedMs = waited
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
