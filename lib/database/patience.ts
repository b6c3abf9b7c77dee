/** Waits for a lock that another process holds, with a timer, so that this process serves other requests meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import { isBusy } from './connection'

/** How long a read or a write waits in total, milliseconds: for its turn in this process and for locks of other processes. */
export const patienceMs = 5_000

const [minMs, maxMs] = [5, 50]

/** Runs the work, and repeats it while the database is locked, until `deadline` (ms since 1970); then throws its last error. */
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

/** How long a command that serves no requests lets SQLite wait for a lock, milliseconds. */
export const commandWaitMs = 5_000
