import type { Outcome } from '@/lib/contract/problem'
import type { BatchView } from '@/lib/portal/batches/view'
import { callAction } from '../forms/call-action'
import type { ChangesMade } from '../undo/several'
import { startBatch } from './actions'
import { targetStates } from './batch-words'
import { followBatch } from './follow-batch'

/**
 * Makes several changes as one batch, which continues without the page, and waits for its end. Fails if no change was made. `onMade` gets how
 * many were made so far.
 */
export async function makeChangesByBatch(
  batch: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onMade: (made: number) => void,
): Promise<Outcome<ChangesMade>> {
  const started = await callAction(startBatch, batch)
  if (!started.ok) return { ok: false, problem: started.problem }
  let targets: BatchView['targets'] = []
  await followBatch(started.data.batchId, signal, (news) => {
    targets = news.targets
    onMade(news.counts.done)
  })
  const done = targets.filter(({ state }) => state === 'done')
  const left = targets.find(({ state }) => state !== 'done')
  const stopped = left ? (left.problem ?? { code: 'cancelled' as const, sentence: `${targetStates[left.state].label}.` }) : null
  if (stopped && done.length === 0) return { ok: false, problem: stopped }
  return { ok: true, data: { made: done.length, undos: done.flatMap(({ undo }) => undo ?? []), stopped } }
}
