/** Reads that a page repeats by itself stand in the record once for as long as they go on, not every few seconds. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

/** A row counts for as long as this. */
const countsMs = 600_000

const repeatedReads = processState('repeated reads', () => new Map<string, number>())

export type RepeatedReads = {
  /** Whether the same read was recorded lately. */
  stands(): boolean
  /** To be called once a row was written. */
  note(): void
}

/** `parts` say who reads what: session, operation, object and fields. */
export function repeatedRead(parts: readonly string[], now: () => number = Date.now): RepeatedReads {
  const recorded = repeatedReads()
  const key = JSON.stringify(parts)
  return {
    // Either way round: the clock may have been set back.
    stands: () => Math.abs(now() - (recorded.get(key) ?? Number.NEGATIVE_INFINITY)) < countsMs,
    note() {
      // The oldest stand first: whatever is noted again moves to the end.
      recorded.delete(key)
      for (const [old, at] of recorded) {
        if (now() - at < countsMs) break
        recorded.delete(old)
      }
      recorded.set(key, now())
    },
  }
}
