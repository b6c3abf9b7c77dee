/** Which servers we are rebooting, to explain why they do not answer. In memory only. */
import { MachineFailure } from './machines/machine'

export type Reboots = {
  /** The server is about to go down. */
  begin(id: string): void
  /** It may still answer, but is going down. */
  isGoingDown(id: string): boolean
  /** Whether the failure is what a reboot looks like from outside. */
  explains(id: string, failure: unknown): boolean
}

/** Stopping takes about this long on a server with little to do; a slower one is asked and still answers. */
const goingDownMs = 10_000
/** A server that is unreachable for longer has a problem. */
const maxMs = 5 * 60_000

export function createReboots(now: () => number = Date.now): Reboots {
  const begunAt = new Map<string, number>()
  const isWithin = (id: string, ms: number): boolean => now() - (begunAt.get(id) ?? Number.NEGATIVE_INFINITY) < ms
  return {
    begin(id) {
      for (const known of begunAt.keys()) if (!isWithin(known, maxMs)) begunAt.delete(known)
      begunAt.set(id, now())
    },
    isGoingDown: (id) => isWithin(id, goingDownMs),
    explains: (id, failure) =>
      failure instanceof MachineFailure && isWithin(id, maxMs) && ['unreachable', 'too_slow'].includes(failure.problem.code),
  }
}
