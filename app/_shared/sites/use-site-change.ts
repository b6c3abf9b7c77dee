'use client'

import { useState } from 'react'
import { useNewestJob } from '@/app/_shared/jobs/use-job'
import { refetchReads } from '@/app/_shared/reads/use-read'
import type { JobView } from '@/lib/portal/jobs/view'
import { focusIfLost } from '../forms/keep-focus'
import { type AnyRead, operationRead, portalRead, type ReadAddress } from '../reads/read-address'
import { showDone } from '../undo/undoable'

/** What an action returns that starts a slow change. */
export type StartedChange = { jobId?: string; undo?: string | null }

/**
 * The slow changes of a site by one operation, one at a time, and the newest job that made one. rendered: the job that the server found.
 * starting: the reads that show a new job. buttonId: gets the focus if its change has taken it away.
 * shows: the reads that show what was changed.
 */
export const useSiteChange = (
  operation: string,
  siteId: string,
  rendered: JobView | null,
  buttonId: string,
  shows: readonly AnyRead[] = [operationRead('sites.settings', { siteId })],
) => useSlowChange(portalRead('/api/jobs', { site: siteId, operation }), rendered, buttonId, shows)

/** The same of a server. */
export const useServerChange = (operation: string, serverId: string, rendered: JobView | null, buttonId: string) =>
  useSlowChange(portalRead('/api/jobs', { server: serverId, operation }), rendered, buttonId, [])

/** jobs: the read of the newest job. */
function useSlowChange(jobs: ReadAddress<JobView[]>, rendered: JobView | null, buttonId: string, shows: readonly AnyRead[]) {
  const job = useNewestJob(jobs, rendered)
  const [pending, setPending] = useState(false)
  const starting = [jobs, portalRead('/api/counts')]
  const refetch = [...starting, ...shows]

  const during = async (work: () => Promise<void>) => {
    setPending(true)
    await work().finally(() => setPending(false))
    focusIfLost(() => document.getElementById(buttonId))
  }

  /** Waits for the end. A job that fails is shown by the page, not by a toast that is soon gone. */
  const follow = async ({ jobId, undo = null }: StartedChange, message: string) => {
    const { waitForJob } = await import('../jobs/wait-for-job')
    const why = jobId === undefined ? null : await waitForJob(jobId)
    await refetchReads(refetch)
    if (!why) showDone(message, undo, { refetch, during })
  }

  return { job, busy: pending || job?.state === 'running', starting, during, follow }
}
