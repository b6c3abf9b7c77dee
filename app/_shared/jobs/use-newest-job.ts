'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useMemo, useRef } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import type { JobView } from '@/lib/portal/jobs/view'
import type { ReadAddress } from '../reads/read-address'
import { useRead } from '../reads/use-read'

const markOf = (job: JobView | null): string => (job ? `${job.id} ${job.endedAt ?? ''}` : '')

/**
 * The newest job of one kind; `jobs` answers it alone. Refreshes the page when such a job begins or ends, whoever started it, in whichever
 * window. rendered: the one that the server found.
 */
export function useNewestJob(jobs: ReadAddress<JobView[]>, rendered: JobView | null): JobView | null {
  const router = useRouter()
  const first = useMemo<Outcome<JobView[]>>(() => ({ ok: true, data: rendered ? [rendered] : [] }), [rendered])
  const { data } = useRead(jobs, { first, everyMs: 5000 })
  const newest = data?.[0] ?? null
  const [drawn, found] = [markOf(rendered), markOf(newest)]
  const asked = useRef(drawn)
  useEffect(() => {
    if (found === drawn || found === asked.current) return
    asked.current = found
    startTransition(() => router.refresh())
  }, [found, drawn, router])
  return newest
}
