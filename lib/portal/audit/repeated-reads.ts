/** Logs a read that a page repeats every few seconds only once in a while. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

/** How long a logged read suppresses further entries. */
const countsMs = 600_000

// A user can invent names of logs; forgetting all only writes some entries again.
const maxRecorded = 10_000

const repeatedReads = processState('repeated reads', () => new Map<string, number>())

export type RepeatedReads = {
  /** Whether the same read was logged recently. */
  stands(): boolean
  /** Call this after writing the entry. */
  note(): void
}

/** `parts` identify the read: actor, operation, object and the request as sent. */
export function repeatedRead(parts: readonly string[], now: () => number = Date.now): RepeatedReads {
  const recorded = repeatedReads()
  const key = JSON.stringify(parts)
  return {
    // Absolute difference, because the clock may have been set back.
    stands: () => Math.abs(now() - (recorded.get(key) ?? Number.NEGATIVE_INFINITY)) < countsMs,
    note() {
      // Re-inserting moves an entry to the end, so the oldest come first.
      recorded.delete(key)
      for (const [old, at] of recorded) {
        if (now() - at < countsMs) break
        recorded.delete(old)
      }
      if (recorded.size >= maxRecorded) recorded.clear()
      recorded.set(key, now())
    },
  }
}
