/** Starts a new batch with the targets of an earlier one that are not done. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { findGranted } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { findVisibleNames } from '@/lib/portal/access/visible'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Actor, Person } from '@/lib/portal/identity/actor'
import { alreadyRepeated, findNewer, workIdOf } from '@/lib/portal/jobs/newer'
import type { Batch, BatchTarget, BatchTargetState } from '@/prisma/generated/portal/client'
import { findBatchKind } from './kinds'
import { type NewBatch, startBatch, startName } from './start'
import { batchesVisibleTo, targetsVisibleTo } from './visible'

/** An unknown outcome is repeated only if running the operation once more does no harm. */
const repeatableStates = (operation: string): BatchTargetState[] => [
  'failed',
  'cancelled',
  'skipped',
  ...(findBatchKind(operation)?.harmless ? (['unknown'] as const) : []),
]

/**
 * What of a batch can be started again by this user, in its order. gone: how many more it would be, but their server or site is no longer
 * listed for the user. denied: those where the user may not do it. newer: the ids of the batches that have started some of it again, which is
 * done once.
 */
export async function findRepeatable(
  actor: Actor,
  { id: batchId, operation }: Batch,
): Promise<{ rows: BatchTarget[]; gone: number; denied: number; newer: string[] }> {
  const left = { batchId, state: { in: repeatableStates(operation) } }
  const bad = await db().batchTarget.findMany({ where: { AND: [left, await targetsVisibleTo(actor)] }, orderBy: { seq: 'asc' } })
  const repeated = await findNewer(bad.map(workIdOf))
  const newer = [...repeated.values()].flatMap(({ kind, id }) => (kind === 'batch' ? [id] : []))
  const all = bad.filter((row) => !repeated.has(workIdOf(row)))
  const ids = [...new Set(all.flatMap((row) => idOf(row) ?? []))]
  const kind = findBatchKind(operation)
  const names = await findVisibleNames(actor, kind?.targets ?? 'site', ids)
  const granted = kind ? await findGranted(actor, kind.operation, kind.targets, [...names.keys()]) : new Set<string>()
  const listed = all.filter((row) => names.has(idOf(row) ?? ''))
  const rows = listed.filter((row) => granted.has(idOf(row) ?? ''))
  return { rows, gone: all.length - listed.length, denied: listed.length - rows.length, newer: [...new Set(newer)] }
}

const idOf = ({ siteId, serverId }: BatchTarget): string | null => siteId ?? serverId

const none = problem('changed_meanwhile', { sentence: 'There is nothing to repeat. Reload the page.' })

type Repeat = { batchId: string } & Pick<NewBatch, 'confirmName' | 'stepUp'>

/**
 * In the same mode. Targets that the user does not see, that are no longer listed, or where the user may not do it, are left out. leftOut: how
 * many are not listed or not allowed.
 */
export async function repeatBatch(
  actor: Person,
  { batchId: id, ...given }: Repeat,
  requestId: string,
): Promise<Outcome<{ batchId: string; leftOut: number }>> {
  const batch = isOpaqueId(id) ? await db().batch.findFirst({ where: { AND: [{ id }, await batchesVisibleTo(actor)] } }) : null
  if (!batch) {
    await recordDenied(actor, startName, { kind: 'batch', id }, 'not_found')
    return { ok: false, problem: problem('not_found') }
  }
  const { operation, mode, atOnce, endedAt } = batch
  if (endedAt === null) return { ok: false, problem: none }
  const { rows, gone, denied, newer } = await findRepeatable(actor, batch)
  const leftOut = gone + denied
  // The same form, sent again.
  if (newer.includes(requestId)) return { ok: true, data: { batchId: requestId, leftOut } }
  if (rows.length === 0 && denied > 0) {
    await recordDenied(actor, startName, { kind: 'batch', id }, 'forbidden')
    return { ok: false, problem: problem('forbidden') }
  }
  if (rows.length === 0) return { ok: false, problem: newer.length > 0 ? alreadyRepeated : none }
  const targets = rows.map((row) => ({ id: idOf(row) ?? '', fields: JSON.parse(row.fields), repeatOf: workIdOf(row) }))
  const started = await startBatch(actor, { operation, mode, atOnce: String(atOnce), targets, ...given }, requestId)
  return started.ok ? { ok: true, data: { ...started.data, leftOut } } : started
}
