import type { BatchView } from '@/lib/portal/batches/view'
import { read } from '../reads/read'
import { portalRead } from '../reads/read-address'

const everyMs = 1_000

/** Reads a batch until it has ended, and calls `onNews` with each answer. Stops without an end if `signal` aborts. Never rejects. */
export async function followBatch(batchId: string, signal: AbortSignal, onNews: (batch: BatchView) => void | Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const batch = await read(portalRead('/api/batches/[batchId]', { batchId })).then(
      ({ data }) => data,
      // The page says that the portal does not answer; the batch still runs.
      () => null,
    )
    if (batch && !signal.aborted) await onNews(batch)
    if (batch?.endedAt) return
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
