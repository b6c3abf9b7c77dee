'use client'

import { useMemo } from 'react'
import type { BatchOffer } from '@/lib/portal/batches/offers'
import { portalRead } from '../reads/read-address'
import { type ReadState, useRead } from '../reads/use-read'
import { type MayAt, mayAtOf } from './left-out'

/** mayAt: where the member may start which operation; null until it is read. problem: why the newest read failed. */
export type BatchOffers = { mayAt: MayAt | null } & Pick<ReadState<unknown>, 'problem' | 'reading' | 'again'>

const [everyMs, manyEveryMs, manyIds] = [60_000, 15 * 60_000, 1000]

/** Long lists of ids are read again seldom: starting decides again anyway. */
export function offersEveryMs(offers: readonly BatchOffer[] | null): number {
  const ids = (offers ?? []).reduce((total, offer) => total + (offer.ids?.length ?? 0), 0)
  return ids > manyIds ? manyEveryMs : everyMs
}

/** first: what the server knows at once, if that is short. */
export function useBatchOffers(of: 'server' | 'site', first: BatchOffer[] | null): BatchOffers {
  const options = first ? { first: { ok: true, data: first } as const, everyMs: offersEveryMs } : { everyMs: offersEveryMs }
  const { data, problem, reading, again } = useRead(portalRead('/api/batch-offers', { of }), options)
  // By what was read, so that the same answer a minute later changes nothing.
  const text = useMemo(() => data && JSON.stringify(data), [data])
  const mayAt = useMemo(() => (text === null ? null : mayAtOf(JSON.parse(text))), [text])
  return { mayAt, problem, reading, again }
}
