/** Which lines of Home offer one action for all their problems: to the reader, on what they may run it. */
import 'server-only'
import { findOperation } from '@/lib/contract'
import { findGranted } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { AttentionBatch, AttentionItem } from './attention-item'

/** More at once are refused. */
const maxTargets = 1_000

/**
 * extended: the servers whose service announces extensions. Starting decides again. Without a target that is left, the line offers nothing.
 */
export function offerBatches(actor: Actor, items: readonly AttentionItem[], extended: ReadonlySet<string>): Promise<AttentionItem[]> {
  return Promise.all(
    items.map(async (item) => (item.batch === null ? item : { ...item, batch: await narrow(actor, item.batch, extended) })),
  )
}

async function narrow(actor: Actor, batch: AttentionBatch, extended: ReadonlySet<string>): Promise<AttentionBatch | null> {
  const operation = findOperation(batch.operation)
  if (operation === undefined) return null
  const granted = await findGranted(actor, operation, batch.noun, batch.ids)
  // A site that has a job to repeat is on a service that took it before.
  const isAble = (id: string) => granted.has(id) && (!operation.extension || batch.noun === 'site' || extended.has(id))
  const ids = batch.ids.filter(isAble).slice(0, maxTargets)
  return ids.length === 0 ? null : { ...batch, ids }
}
