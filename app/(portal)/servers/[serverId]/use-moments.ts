'use client'

import { useEffect, useState } from 'react'
import { useOperation } from '@/app/_shared/reads/use-read'
import type { Outcome } from '@/lib/contract/problem'
import { type Moment, momentOf, type Vitals, type VitalsAnswer, withMoment } from './vitals'

type Kept = { newest: Vitals | null; moments: readonly Moment[] }

/** By server, so that a page that is opened again within the hour continues its lines. */
const kept = new Map<string, Kept>()

const nothing: Kept = { newest: null, moments: [] }

/** The current usage, read every `everyMs` while the page is visible, and the moments of the last hour at which it was read. */
export function useMoments(
  serverId: string,
  { first, everyMs }: { first: Outcome<VitalsAnswer>; everyMs: number },
): { newest: Vitals | null; moments: readonly Moment[] } {
  const { data } = useOperation('servers.vitals', { serverId }, { first, everyMs })
  const newest = data?.item[0] ?? null
  const [moments, setMoments] = useState<readonly Moment[]>([])
  useEffect(() => {
    if (newest === null) return
    const before = kept.get(serverId) ?? nothing
    const now = { newest, moments: withMoment(before.moments, momentOf(before.newest, newest)) }
    if (now.moments !== before.moments) kept.set(serverId, now)
    setMoments(now.moments)
  }, [serverId, newest])
  return { newest, moments }
}
