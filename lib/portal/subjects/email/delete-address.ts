/** Deletes an email address of a site. */
import 'server-only'
import { email } from '@/lib/contract/operations/email'
import type { Outcome } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runOperation } from '../spine'
import { keepUndo, refuseChange, type Undoable } from '../undoable/kept'
import { kept } from '../undoable/kind'
import { readAddresses, restorableDestinationOf } from './addresses'
import { undoAddressDelete } from './undo-addresses'

/** Reads `siteId` and `user`, as the service lists it. Reads first where the address leads, to restore that. */
export async function deleteAddress({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const [siteId, user] = [field('siteId'), field('user')]
  const may = await decide(actor, email.delete, { siteId })
  if (!may.ok) return may
  const listed = await readAddresses(actor, { siteId })
  if (!listed.ok) return listed
  const destination = restorableDestinationOf(listed.data, user)
  const inverse = destination === null ? null : kept(undoAddressDelete, { user, destination })
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'site', id: siteId } }, inverse)
  const deleted = await runOperation(actor, email.delete, { siteId }, { user }, { requestId })
  return deleted.ok ? { ok: true, data: { undo } } : refuseChange(undo, deleted.problem)
}
