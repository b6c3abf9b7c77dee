'use client'

import { useState } from 'react'
import { operationRead } from '@/app/_shared/reads/read-address'
import { type Change, callUndoable, showDone } from '@/app/_shared/undo/undoable'
import { deleteCronJob } from './actions'
import type { CronJob } from './job'

/** The actions for a server's cron jobs; each refreshes the list afterwards, whatever the result. */
export function useCronJobs(serverId: string) {
  const refetch = [operationRead('cron.list', { serverId })]
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  /** The change that deletes a job. */
  const removal = (job: CronJob): Change => ({ action: deleteCronJob, fields: { ...job, serverId } })

  async function remove(job: CronJob): Promise<void> {
    setHidden((before) => new Set([...before, job.line]))
    const { action, fields } = removal(job)
    await callUndoable(action, fields, { message: 'The job was deleted.', refetch })
    setHidden((before) => new Set([...before].filter((line) => line !== job.line)))
  }

  const saved = (message: string, undo: string | null) => showDone(message, undo, { refetch })

  return { removal, hidden, remove, saved, refetch }
}
