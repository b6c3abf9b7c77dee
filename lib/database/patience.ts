/** Waiting for a lock that another process holds: by timer, so that this process answers everybody else meanwhile. */
import { setTimeout as delay } from 'node:timers/promises'
import { isBusy } from './connection'

/** How long a read or a write waits for others in all, milliseconds: its turn in this process and locks of other processes. */
export const patienceMs = 5_000

const [minMs, maxMs] = [5, 50]

/** Runs the work, again and again while it finds the database locked, until `deadline` (ms since 1970); then throws its last error. */
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

/** How long a command that serves nobody lets SQLite wait for a lock, milliseconds. */
export const commandWaitMs = 5_000
