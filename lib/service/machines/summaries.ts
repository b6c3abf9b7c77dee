/** Reads each server's summary once for all simultaneous callers, and shares it briefly afterwards. */
import { createShared } from '../shared'
import type { Machine, MachineSummary } from './machine'

export type Summaries = {
  /** The server's summary, at most `sharedMs` old. A failure only reaches callers that were already waiting. */
  read(id: string, openMachine: () => Machine): Promise<MachineSummary>
  forget(id: string): void
}

export function createSummaries(sharedMs = 5000, now: () => number = Date.now): Summaries {
  const shared = createShared<MachineSummary>(sharedMs, now)
  return { read: (id, openMachine) => shared.read(id, async () => openMachine().summary()), forget: shared.forget }
}
