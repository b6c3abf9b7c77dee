/** Summaries, read once for all callers at the same time, and shared briefly afterwards. */
import type { Machine, MachineSummary } from './machine'

export type Summaries = {
  /** The server's summary, at most `sharedMs` old. A failure is shared only by those who waited for it. */
  read(id: string, openMachine: () => Machine): Promise<MachineSummary>
  forget(id: string): void
}

type Shared = { summary: Promise<MachineSummary>; readAt: number | null }

export function createSummaries(sharedMs = 5000, now: () => number = Date.now): Summaries {
  const shared = new Map<string, Shared>()
  const isFresh = ({ readAt }: Shared) => readAt === null || now() - readAt < sharedMs

  const look = (id: string, openMachine: () => Machine): Shared => {
    const entry: Shared = { summary: (async () => openMachine().summary())(), readAt: null }
    shared.set(id, entry)
    entry.summary.then(
      () => {
        entry.readAt = now()
      },
      () => {
        if (shared.get(id) === entry) shared.delete(id)
      },
    )
    return entry
  }
  return {
    read(id, openMachine) {
      const known = shared.get(id)
      return (known && isFresh(known) ? known : look(id, openMachine)).summary
    },
    forget(id) {
      shared.delete(id)
    },
  }
}
