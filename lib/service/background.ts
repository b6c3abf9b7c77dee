/** Keeps values that take long to read: a known one is returned at once and read again in the background. */

export type Background<Value> = {
  /** The known value, however old, or the first one. A value older than `everyMs` is read again for later callers. */
  read(key: string, work: () => Promise<Value>): Promise<Value>
  forget(key: string): void
}

type Entry<Value> = { known: Promise<Value>; begunAt: number }

/** `work` must not fail. */
export function createBackground<Value>(everyMs: number, now: () => number = Date.now): Background<Value> {
  const entries = new Map<string, Entry<Value>>()
  return {
    read(key, work) {
      const entry = entries.get(key)
      if (!entry) {
        const first = { known: work(), begunAt: now() }
        entries.set(key, first)
        return first.known
      }
      if (now() - entry.begunAt >= everyMs) {
        entry.begunAt = now()
        void work().then((value) => {
          entry.known = Promise.resolve(value)
        })
      }
      return entry.known
    },
    forget: (key) => void entries.delete(key),
  }
}
