/** Splits long work of the process, so that other work can run in between. */
import 'server-only'
import { processState } from './process-state'

/** Resolves after all work that was already waiting has run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const sliceMs = 10

/** Returns a function to await between pieces of long work: it resolves at once, or yields to other work after each 10 ms. */
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

/** Runs long work of the process one piece at a time, and yields to other work in between. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turns = queue()
  const mine = turns.last.then(nextTurn).then(work)
  turns.last = mine.catch(() => {})
  return mine
}
