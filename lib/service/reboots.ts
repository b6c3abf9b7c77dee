/** Remembers which servers Gatehouse is rebooting, to explain why they do not answer. In memory only. */
import { MachineFailure } from './machines/machine'

export type Reboots = {
  /** Records that the server is about to go down. */
  begin(id: string): void
  /** Whether the server is going down, although it may still answer. */
  isGoingDown(id: string): boolean
  /** Whether the reboot explains the failure. */
  explains(id: string, failure: unknown): boolean
}

/** An ordinary server stops within about this time. A slower one still answers requests. */
const goingDownMs = 10_000
/** A server that stays unreachable for longer has another problem. */
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
