/** The backups that a site had before another one was ordered, by job. In memory, because only an answer that is lost needs them. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

const maxJobs = 200

const known = processState('backups before', () => new Map<string, ReadonlySet<string>>())

/** A service that does not say when its backups were made shows only by a new name that it made one. */
export function noteNamesBefore(jobId: string, names: readonly string[]): void {
  const [oldest] = known().keys()
  if (oldest !== undefined && known().size >= maxJobs) known().delete(oldest)
  known().set(jobId, new Set(names))
}

/** Undefined if the list was not read before that job. */
export const namesBefore = (jobId: string): ReadonlySet<string> | undefined => known().get(jobId)
