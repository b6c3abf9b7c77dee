'use client'

import type { BatchSummary } from '@/lib/portal/batches/view'
import { BatchRows } from '../../_shared/batches/batch-rows'
import { portalRead } from '../../_shared/reads/read-address'
import { useRead } from '../../_shared/reads/use-read'

/** The team's newest batches, updated live. */
export function BatchList({ first }: { first: BatchSummary[] }) {
  const read = useRead(portalRead('/api/batches'), { first: { ok: true, data: first }, everyMs: 5000 })
  return <BatchRows title="Several at once" batches={read.data ?? first} />
}
