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

/** The form that starts a batch of changes of one site, one after another, whatever becomes of each. changes: the fields of each. */
export const oneByOne = (operation: string, siteId: string, changes: readonly Readonly<Record<string, string>>[]) => ({
  operation,
  targets: JSON.stringify(changes.map((fields) => ({ id: siteId, fields }))),
  mode: 'goOn',
  atOnce: '1',
})
