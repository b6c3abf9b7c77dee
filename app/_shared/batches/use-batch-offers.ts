'use client'

import { useMemo } from 'react'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import { portalRead } from '../read-address'
import { useRead } from '../use-read'
import { type MayAt, mayAtOf } from './left-out'

const everyMs = 60_000

/** Where the member may start which operation. first: what the server knows at once, if that is short. Null until it is read. */
export function useBatchOffers(of: 'server' | 'site', first: BatchOffer[] | null): MayAt | null {
  const options = first ? { first: { ok: true, data: first } as const, everyMs } : { everyMs }
  const { data } = useRead(portalRead('/api/batch-offers', { of }), options)
  return useMemo(() => data && mayAtOf(data), [data])
}
