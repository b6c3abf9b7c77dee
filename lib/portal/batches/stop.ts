/** Stops a batch: no further target begins. What runs already is finished. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { findGranted } from '@/lib/portal/access/decide'
import { recordDenied } from '@/lib/portal/access/denied'
import { mayRun } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { runRecorded } from '@/lib/portal/spine/recorded'
import { findBatchKind } from './kinds'
import { titleOfBatch } from './title'
import { batchesVisibleTo } from './visible'

export const stopName = 'batches.stop'

const over = problem('changed_meanwhile', { sentence: 'This has ended or was stopped. Reload the page.' })

/** For whoever may run its operation on all servers and sites of the batch that are still there, and sees one of them. */
export async function stopBatch(actor: Person, id: string, requestId: string): Promise<Outcome<object>> {
  const refused = (code: 'forbidden' | 'not_found') =>
    recordDenied(actor, stopName, { kind: 'batch', id }, code).then(() => ({ ok: false, problem: problem(code) }) as const)
  const include = { targets: { select: { name: true, fields: true, serverId: true, siteId: true }, orderBy: { seq: 'asc' as const } } }
  const batch = isOpaqueId(id) ? await db().batch.findFirst({ where: { AND: [{ id }, await batchesVisibleTo(actor)] }, include }) : null
  if (!batch) return refused('not_found')
  const kind = findBatchKind(batch.operation)
  const effect = kind?.operation.effect ?? 'change'
  if (!mayRun(actor.role, effect)) return refused('forbidden')
  const ids = batch.targets.flatMap(({ siteId, serverId }) => siteId ?? serverId ?? [])
  if (kind && (await findGranted(actor, kind.operation, kind.targets, ids)).size < new Set(ids).size) return refused('forbidden')
  const detail = { name: titleOfBatch(batch.operation, batch.targets.length, batch.targets[0]) }
  const needs = { subject: 'servers', effect } as const
  return runRecorded({ actor, action: stopName, requestId, object: { kind: 'batch', id }, needs, detail }, async () => {
    const data = { stoppedAt: new Date(), stoppedById: actor.user.id }
    const { count } = await db().batch.updateMany({ where: { id, endedAt: null, stoppedAt: null }, data })
    return count === 0 ? { ok: false, problem: over } : { ok: true, data: {} }
  })
}
