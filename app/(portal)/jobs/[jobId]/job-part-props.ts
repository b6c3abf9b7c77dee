import type { JobEventView, JobView } from '@/lib/portal/jobs/view'

export type JobPartProps = {
  job: JobView
  lines: readonly JobEventView[]
  /** Null if it was deleted, or the user does not see it. */
  serverId: string | null
  /** The service announces extensions. */
  extensions: boolean
  /** May change servers and sites. */
  may: boolean
}
