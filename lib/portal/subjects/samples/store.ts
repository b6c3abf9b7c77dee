/** Gathers samples in memory and writes them together, because each commit invalidates all caches. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'
import { upsertSamples } from '@/lib/portal/base/sql/samples'
import type { Sample } from './sample'

type Gathered = {
  waiting: Sample[]
  /** When each server was last checked, ms since 1970. */
  lookedAt: Map<string, number>
}

const state = processState('samples', (): { gathered?: Gathered | undefined } => ({}))

/** Nothing is gathered before this call, because without a sampler nothing would ever be written. */
export function beginGathering(): void {
  state().gathered ??= { waiting: [], lookedAt: new Map() }
}

export function endGathering(): void {
  state().gathered = undefined
}

/** Keeps a sample until it is written. Does nothing unless the portal samples. */
export function gather(sample: Sample, now = Date.now()): void {
  state().gathered?.waiting.push(sample)
  state().gathered?.lookedAt.set(sample.serverId, now)
}

/** When this process last checked a server, ms since 1970; null if never. */
export const findCheckedAt = (serverId: string): number | null => state().gathered?.lookedAt.get(serverId) ?? null

/** Whether the portal samples at all. */
export const isGathering = (): boolean => state().gathered !== undefined

/** Samples of a server that are not written yet. */
export const waitingFor = (serverId: string): Sample[] => state().gathered?.waiting.filter((sample) => sample.serverId === serverId) ?? []

export const countWaiting = (): number => state().gathered?.waiting.length ?? 0

/** Writes all gathered samples in one statement. If that fails, keeps them for the next time, up to a limit. */
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
