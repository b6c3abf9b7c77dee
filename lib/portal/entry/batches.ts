/** The actions of batches. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { repeatBatch } from '@/lib/portal/batches/repeat'
import { type GivenTarget, startBatch, startName } from '@/lib/portal/batches/start'
import { stopBatch, stopName } from '@/lib/portal/batches/stop'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Reads `operation`, `targets` (JSON: the ids in order), `mode`, `atOnce` and, for operations that need it, `confirmName`. */
export const startBatchAction = () =>
  ownAction(startName, async ({ actor, requestId, field, stepUp }) => {
    const targets = readTargets(field('targets'))
    if (!targets) return { ok: false, problem: problem('invalid') }
    const [operation, mode, atOnce, confirmName] = ['operation', 'mode', 'atOnce', 'confirmName'].map(field)
    const given = { operation: operation ?? '', mode: mode ?? '', atOnce: atOnce ?? '', confirmName: confirmName ?? '' }
    return startBatch(actor, { ...given, targets, stepUp }, requestId)
  })

/** Reads `batchId`. */
export const stopBatchAction = () => ownAction(stopName, ({ actor, requestId, field }) => stopBatch(actor, field('batchId'), requestId))

/** Reads `batchId` and, for operations that need it, `confirmName`. */
export const repeatBatchAction = () =>
  ownAction('batches.repeat', ({ actor, requestId, field, stepUp }) =>
    repeatBatch(actor, { batchId: field('batchId'), confirmName: field('confirmName'), stepUp }, requestId),
  )

function readTargets(text: string): GivenTarget[] | null {
  try {
    const given: unknown = JSON.parse(text)
    const isIds = Array.isArray(given) && given.every((id) => typeof id === 'string')
    return isIds ? [...new Set<string>(given)].map((id) => ({ id, fields: {} })) : null
  } catch {
    return null
  }
}
