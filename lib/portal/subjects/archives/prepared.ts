/** The archives that were prepared for download, in memory only: a link is worth as much as the archive, and is good for minutes. */
import 'server-only'
import { processState } from '@/lib/portal/base/process-state'

export type Prepared = {
  jobId: string
  teamId: string
  /** The only member who may fetch it. */
  userId: string
  siteId: string
  domain: string
  connectionId: string
  link: string
  /** Bytes; null if the service does not say. */
  size: number | null
  /** Until when the service keeps it, ISO; null if it does not say. */
  expires: string | null
  preparedAt: Date
  /** The fetch is in the audit log. */
  recorded: boolean
  /** Its last byte was passed on. */
  taken: boolean
}

type Kept = { archive: Prepared; until: number }

// At least this long: the service may not say how long a link is good, or its clock may be behind. And a limit for one that says too much.
const keptMs = 900_000
const maxKeptMs = 86_400_000
const maxKept = 500

const archives = processState('prepared archives', () => new Map<string, Kept>())

export function keepArchive(archive: Prepared): void {
  const now = Date.now()
  const told = Date.parse(archive.expires ?? '')
  for (const [jobId, { until }] of archives()) if (until <= now || archives().size >= maxKept) archives().delete(jobId)
  archives().set(archive.jobId, { archive, until: Math.min(Math.max(told || 0, now + keptMs), now + maxKeptMs) })
}

/** Null if it was never prepared, is past its time, or was prepared before a restart. */
export function findArchive(jobId: string): Prepared | null {
  const kept = archives().get(jobId)
  return kept && kept.until > Date.now() ? kept.archive : null
}

export function forgetArchive(jobId: string): void {
  archives().delete(jobId)
}
