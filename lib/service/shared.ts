/** Reads a value once for all simultaneous callers, and shares it briefly afterwards. */

export type Shared<Value> = {
  /** The value under that key, at most `sharedMs` old. A failure only reaches callers that were already waiting. */
  read(key: string, work: () => Promise<Value>): Promise<Value>
  forget(key: string): void
}

type Entry<Value> = { value: Promise<Value>; readAt: number | null }

export function createShared<Value>(sharedMs: number, now: () => number = Date.now): Shared<Value> {
  const entries = new Map<string, Entry<Value>>()
  const isFresh = ({ readAt }: Entry<Value>) => readAt === null || now() - readAt < sharedMs

  const look = (key: string, work: () => Promise<Value>): Entry<Value> => {
    const entry: Entry<Value> = { value: work(), readAt: null }
    entries.set(key, entry)
    entry.value.then(
      () => {
        entry.readAt = now()
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    return entry
  }
  return {
    read(key, work) {
      const known = entries.get(key)
      return (known && isFresh(known) ? known : look(key, work)).value
    },
    forget(key) {
      entries.delete(key)
    },
  }
}
