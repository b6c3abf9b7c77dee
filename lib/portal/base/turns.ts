/** Lets everything else of the process have its turn between two pieces of long work. */
import 'server-only'
import { processState } from './process-state'

/** Settles once whatever was ready to run has run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const sliceMs = 10

/** Gives what long work calls between its pieces: it settles at once, or after a turn for everything else once 10 ms are used up. */
export function createSlices(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < sliceMs) return
    await nextTurn()
    startedAt = performance.now()
  }
}

/** A list in pieces of so many. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

const queue = processState('turns', (): { last: Promise<unknown> } => ({ last: Promise.resolve() }))

/** Runs pieces of work of the whole process one after the other, with a turn for everything else between two of them. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turns = queue()
  const mine = turns.last.then(nextTurn).then(work)
  turns.last = mine.catch(() => {})
  return mine
}
