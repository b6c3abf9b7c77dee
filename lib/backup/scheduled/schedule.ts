/** When a scheduled backup is due, and when the newest one is too old. Pure; times in UTC. */
import type { BackupSchedule } from '@/lib/settings/backup'

const hourMs = 3_600_000
/** A failed backup is tried again after this time. */
const retryMs = hourMs
/** The clock is corrected by so much without anything having gone wrong. */
const clockSlackMs = 60_000

/** The newest attempt. */
export type Attempt = { attemptedAt: Date; failed: boolean }

const intervalOf = (schedule: BackupSchedule): number => ('atHour' in schedule ? 24 : schedule.everyHours) * hourMs

/** The first time of the schedule after the given one. */
export function findNext(schedule: BackupSchedule, after: Date): Date {
  if ('everyHours' in schedule) return new Date(after.getTime() + intervalOf(schedule))
  const next = new Date(after)
  next.setUTCHours(schedule.atHour, 0, 0, 0)
  if (next <= after) next.setUTCDate(next.getUTCDate() + 1)
  return next
}

/**
 * True without an attempt. An attempt in the future means that the clock was ahead then: waiting for the schedule could take years, so a backup
 * is due.
 */
export function isDue(schedule: BackupSchedule, last: Attempt | null, now: Date): boolean {
  if (last === null || last.attemptedAt.getTime() > now.getTime() + clockSlackMs) return true
  const next = findNext(schedule, last.attemptedAt).getTime()
  return now.getTime() >= (last.failed ? Math.min(next, last.attemptedAt.getTime() + retryMs) : next)
}

/** How old the newest backup may become until it is late, in milliseconds: half an interval, and an hour at least, is for retries and long runs. */
export const lateAfterMs = (schedule: BackupSchedule): number => intervalOf(schedule) + Math.max(hourMs, intervalOf(schedule) / 2)
