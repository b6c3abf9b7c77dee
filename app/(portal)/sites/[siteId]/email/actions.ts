'use server'

import { email } from '@/lib/contract/operations/email'
import { switchEmail as startSwitch } from '@/lib/portal/entry/switch-email'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { deleteAddress as removeAddress } from '@/lib/portal/subjects/email/delete-address'
import { saveAddress as putAddress } from '@/lib/portal/subjects/email/save-address'

/** Takes `siteId`, `status`, `anyway` (1 or 0 each) and `elsewhere`, as the page showed it. */
export const switchEmail = ownAction(email.set.id, startSwitch)

/** Takes `siteId`, `user`, `destination`, `password`, and `adds` for a new address or `seen` for one that is there. */
export const saveAddress = ownAction(email.save.id, putAddress)

/** Takes `siteId` and `user`. */
export const deleteAddress = ownAction(email.delete.id, removeAddress)
