/** Starts a new batch with the targets of an earlier one that are not done. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import type { BatchTargetState } from '@/prisma/generated/portal/client'
import { findBatchKind } from './kinds'
import { type NewBatch, startBatch, startName } from './start'
import { batchesVisibleTo, targetsVisibleTo } from './visible'

/** An unknown outcome is repeated only if running the operation once more does no harm. */
export const repeatableStates = (operation: string): BatchTargetState[] => [
  ...(['failed', 'cancelled', 'skipped'] as const),
  ...(findBatchKind(operation)?.harmless ? (['unknown'] as const) : []),
]

const none = problem('changed_meanwhile', { sentence: 'There is nothing to repeat. Reload the page.' })

type Repeat = { batchId: string } & Pick<NewBatch, 'confirmName' | 'stepUp'>

/** In the same mode. Targets that the user does not see are left out. */
export async function repeatBatch(
  actor: Person,
  { batchId: id, ...given }: Repeat,
  requestId: string,
): Promise<Outcome<{ batchId: string }>> {
  const batch = isOpaqueId(id) ? await db().batch.findFirst({ where: { AND: [{ id }, batchesVisibleTo(actor)] } }) : null
  if (!batch) {
    await recordDenied(actor, startName, { kind: 'batch', id }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const { operation, mode, atOnce, endedAt } = batch
  if (endedAt === null) return { ok: false, problem: none }
  const left = { batchId: id, state: { in: repeatableStates(operation) } }
  const rows = await db().batchTarget.findMany({ where: { AND: [left, targetsVisibleTo(actor)] }, orderBy: { seq: 'asc' } })
  if (rows.length === 0) return { ok: false, problem: none }
  const targets = rows.map(({ siteId, serverId, fields }) => ({ id: siteId ?? serverId ?? '', fields: JSON.parse(fields) }))
  return startBatch(actor, { operation, mode, atOnce: String(atOnce), targets, ...given }, requestId)
}
