'use client'

import { useState } from 'react'
import { useDeeds } from '../../../../_shared/use-deeds'
import { deleteCronJob } from './actions'
import type { CronJob } from './job'

/** What can be done with the jobs of a server; after each the list is read anew, whatever came of it. */
export function useCronJobs(serverId: string) {
  const { send, settling, sayDone } = useDeeds('cron.list', serverId)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  async function remove(job: CronJob): Promise<void> {
    setHidden((before) => new Set([...before, job.line]))
    const done = await send(deleteCronJob, job)
    setHidden((before) => new Set([...before].filter((line) => line !== job.line)))
    if (done) sayDone('The job was deleted.', done.undo)
  }

  return { hidden, remove, settling, sayDone }
}
