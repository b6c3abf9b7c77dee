'use client'

import { useNewestJob } from '@/app/_shared/jobs/use-job'
import { portalRead } from '@/app/_shared/reads/read-address'
import type { JobView } from '@/lib/portal/jobs/view'

type JobWatchProps = { serverId: string; newest: JobView | null }

/** Refreshes the page when a job of this server begins or ends. */
export function JobWatch({ serverId, newest }: JobWatchProps) {
  useNewestJob(portalRead('/api/jobs', { server: serverId }), newest)
  return null
}
