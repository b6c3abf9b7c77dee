import type { JobEventView, JobState } from '@/lib/portal/jobs/view'

/** A service ends a cancelled job with a line that failed; a member wanted it, so it is no error. */
export function withoutCancellation(lines: readonly JobEventView[], state: JobState): readonly JobEventView[] {
  const last = lines.at(-1)
  return state === 'cancelled' && last?.status === 'failed' ? [...lines.slice(0, -1), { ...last, status: '' }] : lines
}
