'use client'

import { useState } from 'react'
import { callAction } from '@/app/_shared/forms/call-action'
import { operationRead } from '@/app/_shared/reads/read-address'
import { useSiteChange } from '@/app/_shared/sites/use-site-change'
import type { Problem } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { switchEmail } from './actions'

/** Of the button that switches email, whichever is shown. */
export const switchId = 'email-switch'

/** anyway: although DNS sends the mail elsewhere. */
export type Wanted = { on: boolean; anyway: boolean }

/** Switching email of a site. rendered: the job that the server found. elsewhere: the mail server that DNS names, if it is another one. */
export function useEmailSwitch(siteId: string, rendered: JobView | null, elsewhere: string) {
  const shows = [operationRead('email.get', { siteId })]
  const { job, busy, starting, during, follow } = useSiteChange('email.set', siteId, rendered, switchId, shows)
  const [refusal, setRefusal] = useState<Problem | null>(null)

  const toggle = ({ on, anyway }: Wanted) =>
    during(async () => {
      setRefusal(null)
      const fields = { siteId, status: on ? '1' : '0', anyway: anyway ? '1' : '0', elsewhere }
      const started = await callAction(switchEmail, fields, { refetch: starting })
      if (!started.ok) return setRefusal(started.problem)
      await follow(started.data, on ? 'Email is on.' : 'Email is off.')
    })

  return { job, refusal, busy, toggle }
}
