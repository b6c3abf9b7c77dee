/** Wakes everyone who waits for a change of a key; they read the changed data themselves. */

export type Signals = {
  tell(key: string): void
  /** How often the key was signalled so far. Read it before the data, so that no change is missed. */
  count(key: string): number
  /** Resolves once the count exceeds `seen`, or when aborted. */
  after(key: string, seen: number, aborted: AbortSignal): Promise<void>
}

export function createSignals(): Signals {
  const counts = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()
  const count = (key: string) => counts.get(key) ?? 0
  return {
    count,
    tell(key) {
      counts.set(key, count(key) + 1)
      const wakers = waiting.get(key)
      waiting.delete(key)
      for (const wake of wakers ?? []) wake()
    },
    after(key, seen, aborted) {
      if (aborted.aborted || count(key) !== seen) return Promise.resolve()
      return new Promise((resolve) => {
        const wakers = waiting.get(key) ?? new Set()
        waiting.set(key, wakers)
        const wake = () => {
          wakers.delete(wake)
          aborted.removeEventListener('abort', wake)
          resolve()
        }
        wakers.add(wake)
        aborted.addEventListener('abort', wake)
      })
    },
  }
}
