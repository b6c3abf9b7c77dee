/** Deletes an email address of a site. */
import 'server-only'
import { email } from '@/lib/contract/operations/email'
import type { Outcome } from '@/lib/contract/problem'
import type { Actor } from '@/lib/portal/identity/actor'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import type { RunOptions } from '@/lib/portal/spine/run-operation'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { kept } from '../undoable/kind'
import { onSite } from '../undoable/subject'
import { readAddresses, restorableDestinationOf } from './addresses'
import { undoAddressDelete } from './undo-addresses'

/** Reads `siteId` and `user`, as the service lists it. */
export const deleteAddress = ({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> =>
  removeAddress(actor, { siteId: field('siteId'), user: field('user') }, { requestId })

/** Reads first where the address leads, to restore that. */
export function removeAddress(
  actor: Actor,
  { siteId, user }: { siteId: string; user: string },
  options: RunOptions & { requestId: string },
): Promise<Outcome<Undoable>> {
  const { requestId, batchId } = options
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: email.delete,
    read: () => readAddresses(actor, { siteId }, batchId === undefined ? {} : { batchId }),
    inverse(addresses) {
      const destination = restorableDestinationOf(addresses, user)
      return destination === null ? null : kept(undoAddressDelete, { user, destination })
    },
    run: () => runOperation(actor, email.delete, { siteId }, { user }, options),
  })
}
