/** Waits for another process's lock with a timer, so that this process serves other requests meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import { isBusy } from './connection'

/** How long a read or a write waits in total, in milliseconds: for its turn in this process and for locks of other processes. */
export const patienceMs = 5_000

const [minMs, maxMs] = [5, 50]

/** Repeats the work while the database is locked, until `deadline` (ms since 1970); then throws the last error. */
export async function untilUnlocked<T>(work: () => T, deadline: number): Promise<T> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      const waitMs = minMs + Math.random() * (maxMs - minMs)
      if (!isBusy(error) || Date.now() + waitMs > deadline) throw error
      await delay(waitMs)
    }
  }
}

/** How long SQLite waits for a lock in commands that serve no requests, in milliseconds. */
export const commandWaitMs = 5_000
