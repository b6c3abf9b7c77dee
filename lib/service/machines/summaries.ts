/** Reads each server's summary once for all simultaneous callers, and shares it briefly afterwards. */
import type { Machine, MachineSummary } from './machine'

export type Summaries = {
  /** The server's summary, at most `sharedMs` old. A failure only reaches callers that were already waiting. */
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
