/** Lets a few through at a time and makes the others wait in order. */
import 'server-only'
import { processState } from './process-state'

/** Too many wait already to be served in reasonable time. */
export class TooManyWaiting extends Error {}

type Limits = { atOnce: number; maxWaiting: number }

type Queue = { running: number; waiting: (() => void)[] }

/**
 * Returns the function that runs `work` when it is its turn. One queue per name and process; otherwise there would be one per bundle.
 * Throws TooManyWaiting at once if `maxWaiting` wait.
 */
export function fewAtOnce(name: string, { atOnce, maxWaiting }: Limits): <T>(work: () => Promise<T>) => Promise<T> {
  const queueOf = processState(name, (): Queue => ({ running: 0, waiting: [] }))
  return async (work) => {
    const queue = queueOf()
    if (queue.running >= atOnce) {
      if (queue.waiting.length >= maxWaiting) throw new TooManyWaiting()
      // A finished caller passes its place on, so `running` already includes this caller when it wakes up.
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    } else {
      queue.running += 1
    }
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
    }
  }
}
