'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useMemo, useRef } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import { portalRead } from '../../../_shared/read-address'
import { useRead } from '../../../_shared/use-read'

type JobWatchProps = { serverId: string; newest: JobView | null }

const markOf = (job: JobView | null | undefined): string => (job ? `${job.id} ${job.endedAt ?? ''}` : '')

/** Refreshes the page when a job of this server begins or ends, whoever started it, in whichever window. */
export function JobWatch({ serverId, newest }: JobWatchProps) {
  const router = useRouter()
  const first = useMemo<Outcome<JobView[]>>(() => ({ ok: true, data: newest ? [newest] : [] }), [newest])
  const { data } = useRead(portalRead('/api/jobs', { server: serverId }), { first, everyMs: 5000 })
  const [drawn, found] = [markOf(newest), markOf(data?.[0])]
  const asked = useRef(drawn)
  useEffect(() => {
    if (found === drawn || found === asked.current) return
    asked.current = found
    startTransition(() => router.refresh())
  }, [found, drawn, router])
  return null
}
