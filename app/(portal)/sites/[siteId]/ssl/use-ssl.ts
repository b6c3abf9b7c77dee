'use client'

import { useState } from 'react'
import type { Problem } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { type Action, type AnyActionResult, callAction } from '../../../../_shared/call-action'
import { useNewestJob } from '../../../../_shared/jobs/use-newest-job'
import { operationRead, portalRead } from '../../../../_shared/read-address'
import { refetchReads } from '../../../../_shared/refetch-reads'
import { showDone } from '../../../../_shared/undo/undoable'
import { renewCertificate, switchSsl } from './actions'

type Started = AnyActionResult & ({ ok: true; data: { jobId?: string; undo?: string | null } } | { ok: false })

/** The changes to a site's SSL, one at a time, and the newest job that made one. rendered: the job that the server found. */
export function useSsl(siteId: string, rendered: JobView | null) {
  const jobs = portalRead('/api/jobs', { site: siteId, operation: 'ssl.set' })
  const job = useNewestJob(jobs, rendered)
  const [pending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<Problem | null>(null)
  const counts = portalRead('/api/counts')
  const refetch = [jobs, counts, operationRead('sites.settings', { siteId })]

  const during = async (work: () => Promise<void>) => {
    setPending(true)
    await work().finally(() => setPending(false))
  }

  /** A job that fails is shown by the page, not by a toast that is soon gone. */
  const start = (action: Action<Started>, on: boolean, message: string) =>
    during(async () => {
      setRefusal(null)
      const started = await callAction(action, { siteId, status: on ? '1' : '0' }, { refetch: [jobs, counts] })
      if (!started.ok) return setRefusal(started.problem)
      const { jobId, undo = null } = started.data
      const { waitForJob } = await import('../../../../_shared/jobs/wait-for-job')
      const why = jobId === undefined ? null : await waitForJob(jobId)
      await refetchReads(refetch)
      if (!why) showDone(message, undo, { refetch, during })
    })

  return {
    job,
    refusal,
    busy: pending || job?.state === 'running',
    toggle: (on: boolean) => start(switchSsl, on, on ? 'SSL is on.' : 'SSL is off.'),
    renew: () => start(renewCertificate, true, 'The certificate was renewed.'),
  }
}
