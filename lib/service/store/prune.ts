/** Deletes old data of the service: lines of old installs and other slow work. */
import { deleteEventsBefore } from './sql/run-events'
import type { Database } from './store'

const day = 24 * 60 * 60_000
const keptMs = 180 * day

/**
 * Deletes old lines and returns how many. Keeps the newest line of each server, because the next number continues from it, and the lines
 * of a running one. Safe while the service runs.
 */
export function pruneRunLines(db: Database, now = new Date()): Promise<number> {
  return deleteEventsBefore(db, new Date(now.getTime() - keptMs))
}
