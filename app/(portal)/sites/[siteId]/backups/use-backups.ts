'use client'

import { useState } from 'react'
import { callAction } from '@/app/_shared/forms/call-action'
import { operationRead } from '@/app/_shared/reads/read-address'
import { type StartedChange, useSiteChange } from '@/app/_shared/sites/use-site-change'
import { useDrawnNow } from '@/app/_ui/clock'
import type { Problem } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { createBackup } from '../../actions'

/** Of the button that creates a backup. */
export const createId = 'create-backup'

// As long as the service keeps a replaced site.
const keptMs = 86_400_000

/** fetched: the job that restored from a copy. */
type Rendered = { created: JobView | null; restored: JobView | null; fetched: JobView | null }

/** Backing a site up and restoring it, one at a time. rendered: the jobs that the server found. */
export function useBackups(siteId: string, domain: string, rendered: Rendered) {
  const shows = [operationRead('backups.list', { siteId })]
  const creating = useSiteChange('backups.create', siteId, rendered.created, createId, shows)
  const restoring = useSiteChange('backups.restore', siteId, rendered.restored, createId, shows)
  const fetching = useSiteChange('copies.restore', siteId, rendered.fetched, createId, shows)
  const [refusal, setRefusal] = useState<Problem | null>(null)
  const now = useDrawnNow(60_000)

  const create = () =>
    creating.during(async () => {
      setRefusal(null)
      const started = await callAction(createBackup, { siteId }, { refetch: creating.starting })
      if (!started.ok) return setRefusal(started.problem)
      await creating.follow(started.data, 'The backup was created.')
    })

  const follow =
    (restore: typeof restoring) =>
    (started: StartedChange): void => {
      setRefusal(null)
      void restore.during(() => restore.follow(started, `${toReadableDomain(domain)} was restored.`))
    }
  const restored = newerOf(restoring.job, fetching.job)

  return {
    job: newerOf(creating.job, restored),
    kept: keptIn(restored, now),
    busy: creating.busy || restoring.busy || fetching.busy,
    refusal,
    create,
    restoreStarted: follow(restoring),
    copyRestoreStarted: follow(fetching),
    starting: restoring.starting,
    fetching: fetching.starting,
  }
}

/** Of the two, the one that began last tells how the site is now. */
export function newerOf(one: JobView | null, other: JobView | null): JobView | null {
  if (!one || !other) return one ?? other
  return Date.parse(one.startedAt) >= Date.parse(other.startedAt) ? one : other
}

/** Where the replaced site is; empty if the service did not say, or does not keep it any longer. */
function keptIn(job: JobView | null, now: number): string {
  if (job?.state !== 'done' || job.endedAt === null) return ''
  return now - Date.parse(job.endedAt) < keptMs ? job.note : ''
}
