/** Deletes an email address of a site. */
import 'server-only'
import { email } from '@/lib/contract/operations/email'
import type { Outcome } from '@/lib/contract/problem'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { kept } from '../undoable/kind'
import { onSite } from '../undoable/subject'
import { readAddresses, restorableDestinationOf } from './addresses'
import { undoAddressDelete } from './undo-addresses'

/** Reads `siteId` and `user`, as the service lists it. Reads first where the address leads, to restore that. */
export function deleteAddress({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const [siteId, user] = [field('siteId'), field('user')]
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: email.delete,
    read: () => readAddresses(actor, { siteId }),
    inverse(addresses) {
      const destination = restorableDestinationOf(addresses, user)
      return destination === null ? null : kept(undoAddressDelete, { user, destination })
    },
    run: () => runOperation(actor, email.delete, { siteId }, { user }, { requestId }),
  })
}
