/** Which of the selected servers or sites an operation may run on, and what is said about the others. */
import type { BatchOffer } from '@/lib/portal/batches/offers'
import { formatNames } from '@/lib/text/names'
import { countOf, formatCount } from '../../_ui/count'

/** Whether the member may run an operation on one server or site. */
export type MayAt = (operation: string, id: string) => boolean

/** One operation is in one offer at most. */
export function mayAtOf(offers: readonly BatchOffer[]): MayAt {
  const indexed = offers.map(({ operations, ids }) => ({ operations: new Set(operations), ids: ids && new Set(ids) }))
  return (operation, id) => {
    const offer = indexed.find(({ operations }) => operations.has(operation))
    return offer !== undefined && (offer.ids === null || offer.ids.has(id))
  }
}

/** nameOf: how pages call it. */
type Split<Row> = { mayAt: MayAt; operation: string; nameOf: (row: Row) => string }

/** said: names those that are left out, before anything starts; empty if there are none. */
export function splitByAccess<Row extends { id: string }>(
  noun: 'server' | 'site',
  selected: readonly Row[],
  { mayAt, operation, nameOf }: Split<Row>,
): { allowed: Row[]; said: string } {
  const allowed = selected.filter(({ id }) => mayAt(operation, id))
  const denied = selected.filter(({ id }) => !mayAt(operation, id)).map(nameOf)
  if (denied.length === 0) return { allowed, said: '' }
  const are = denied.length === 1 ? 'is' : 'are'
  const of = `${formatCount(allowed.length)} of ${countOf(selected.length, noun)}`
  return { allowed, said: `${of}: ${formatNames(denied)} ${are} left out, because your access does not include this there.` }
}

/** Why an action for several is not offered. */
export const formatDenied = (noun: 'server' | 'site'): string =>
  `Your role or access does not include this for any of the selected ${noun}s. A team owner or admin can change that.`
