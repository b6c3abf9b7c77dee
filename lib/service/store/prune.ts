/** What the service forgets in time: lines of installs that are long over. */
import { deleteEventsBefore } from './sql/install-events'
import type { Database } from './store'

const day = 24 * 60 * 60_000
const keptMs = 180 * day

/**
 * Deletes old lines and answers how many. The newest line of each machine stays, for the next one's number is counted from it; so do
 * the lines of a run under way. Safe beside a running service.
 */
export function pruneInstallLines(db: Database, now = new Date()): Promise<number> {
  return deleteEventsBefore(db, new Date(now.getTime() - keptMs))
}
