import type { JobEventView } from '@/lib/portal/jobs/view'
import { formatDuration } from '../../_ui/duration'

/** Ordinary steps pause for this long. */
const leastMs = 20_000
const inSecondsMs = 120_000

/** ms since 1970 of the last line with a message, or of the start. */
export function lastOutputAt(lines: readonly Pick<JobEventView, 'at' | 'message'>[], startedAt: string): number {
  return Date.parse(lines.findLast(({ message }) => message.trim() !== '')?.at ?? startedAt)
}

/** "No output for 70 s"; null while it is too early to say. */
export function formatSilence(ms: number): string | null {
  if (ms < leastMs) return null
  return `No output for ${ms < inSecondsMs ? `${Math.floor(ms / 1000)} s` : formatDuration(ms)}`
}
