/** Lets other work of the process run between two pieces of long work. */
import 'server-only'
import { processState } from './process-state'

/** Resolves after everything that was ready to run has run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const sliceMs = 10

/** Returns a function to call between pieces of long work: it resolves at once, or yields to other work once 10 ms are used up. */
export function createSlices(): () => Promise<void> {
  let startedAt = performance.now()
  return async () => {
    if (performance.now() - startedAt < sliceMs) return
    await nextTurn()
    startedAt = performance.now()
  }
}

/** Splits a list into slices of `size`. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

const queue = processState('turns', (): { last: Promise<unknown> } => ({ last: Promise.resolve() }))

/** Runs work of the whole process one piece after the other, yielding to other work between two of them. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turns = queue()
  const mine = turns.last.then(nextTurn).then(work)
  turns.last = mine.catch(() => {})
  return mine
}
