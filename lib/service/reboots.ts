/** Which servers are being rebooted by us: until they answer again, that is why they do not. Nothing of it outlives the process. */
import { MachineFailure } from './machines/machine'

export type Reboots = {
  /** The server goes down in a moment. */
  begin(id: string): void
  /** It may still answer, but is on its way down. */
  isGoingDown(id: string): boolean
  /** Whether the failure is what a reboot looks like from outside. */
  explains(id: string, failure: unknown): boolean
}

/** Stopping takes about as long on a server with little to do; one that takes longer is asked and still answers. */
const goingDownMs = 10_000
/** A server that is away for longer than this has a problem. */
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
