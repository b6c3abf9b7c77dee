/** Samples on their way into the database: gathered in memory and written together, since each commit costs every reader. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'
import { upsertSamples } from '@/lib/portal/base/sql/samples'
import type { Sample } from './sample'

type Gathered = {
  waiting: Sample[]
  /** When each server was looked at last, ms since 1970. */
  lookedAt: Map<string, number>
}

const state = processState('samples', (): { gathered?: Gathered | undefined } => ({}))

/** Before this nothing is gathered: what nobody writes down would only grow. */
export function beginGathering(): void {
  state().gathered ??= { waiting: [], lookedAt: new Map() }
}

export function endGathering(): void {
  state().gathered = undefined
}

/** Keeps a sample until it is written. Nothing happens while the portal does not sample. */
export function gather(sample: Sample, now = Date.now()): void {
  state().gathered?.waiting.push(sample)
  state().gathered?.lookedAt.set(sample.serverId, now)
}

/** When a server was looked at last by this process, ms since 1970; null while it never was. */
export const findCheckedAt = (serverId: string): number | null => state().gathered?.lookedAt.get(serverId) ?? null

/** Whether the portal samples at all. */
export const isGathering = (): boolean => state().gathered !== undefined

/** What is known of a server and not written yet. */
export const waitingFor = (serverId: string): Sample[] => state().gathered?.waiting.filter((sample) => sample.serverId === serverId) ?? []

export const countWaiting = (): number => state().gathered?.waiting.length ?? 0

/** Writes everything that waits, in one statement. What cannot be written is kept for the next time, up to a bound. */
export async function writeWaiting(): Promise<void> {
  const gathered = state().gathered
  const samples = gathered?.waiting.splice(0) ?? []
  if (samples.length === 0) return
  try {
    await upsertSamples(samples)
  } catch (error) {
    gathered?.waiting.unshift(...samples.slice(-maxKept))
    throw error
  }
}

const maxKept = 5_000
