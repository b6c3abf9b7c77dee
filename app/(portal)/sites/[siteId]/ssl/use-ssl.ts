'use client'

import { useState } from 'react'
import { type Action, type AnyActionResult, callAction } from '@/app/_shared/forms/call-action'
import { type StartedChange, useSiteChange } from '@/app/_shared/sites/use-site-change'
import type { Problem } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { renewCertificate, switchSsl } from './actions'

/** Of the button that switches SSL, whichever is shown. */
export const switchId = 'ssl-switch'

type Started = AnyActionResult & ({ ok: true; data: StartedChange } | { ok: false })

/** The changes to a site's SSL. rendered: the job that the server found. */
export function useSsl(siteId: string, rendered: JobView | null) {
  const { job, busy, starting, during, follow } = useSiteChange('ssl.set', siteId, rendered, switchId)
  const [refusal, setRefusal] = useState<Problem | null>(null)

  const start = (action: Action<Started>, on: boolean, message: string) =>
    during(async () => {
      setRefusal(null)
      const started = await callAction(action, { siteId, status: on ? '1' : '0' }, { refetch: starting })
      if (!started.ok) return setRefusal(started.problem)
      await follow(started.data, message)
    })

  return {
    job,
    refusal,
    busy,
    toggle: (on: boolean) => start(switchSsl, on, on ? 'SSL is on.' : 'SSL is off.'),
    renew: () => start(renewCertificate, true, 'The certificate was renewed.'),
  }
}
