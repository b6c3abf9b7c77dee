/** Lets everything else of the process have its turn between two pieces of long work. */
import 'server-only'

/** Settles once whatever was ready to run has run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// Shared by all route bundles of the process.
const holder: { gatehouseTurns?: Promise<unknown> } = globalThis as object

/** Runs pieces of work of the whole process one after the other, with a turn for everything else between two of them. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const before = holder.gatehouseTurns ?? Promise.resolve()
  const mine = before.then(nextTurn).then(work)
  holder.gatehouseTurns = mine.catch(() => {})
  return mine
}
