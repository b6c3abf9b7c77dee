/** The actions of batches. */
import 'server-only'
import * as z from 'zod'
import { problem } from '@/lib/contract/problem'
import { repeatBatch } from '@/lib/portal/batches/repeat'
import { type GivenTarget, startBatch, startName } from '@/lib/portal/batches/start'
import { stopBatch, stopName } from '@/lib/portal/batches/stop'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Reads `operation`, `targets` (JSON: in order, ids or objects of `id` and its own `fields`), `mode`, `atOnce` and, for operations that need it, `confirmName`. */
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

const id = z.string()
const given = z.array(z.union([id, z.strictObject({ id, fields: z.record(z.string(), z.string()) })]))

/** Null if it is anything else. What is given twice counts once. */
function readTargets(text: string): GivenTarget[] | null {
  const parsed = given.safeParse(parseJson(text))
  if (!parsed.success) return null
  const targets = parsed.data.map((one) => (typeof one === 'string' ? { id: one, fields: {} } : one))
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
