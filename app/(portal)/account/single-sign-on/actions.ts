'use server'

import { disconnectProvider as disconnect } from '@/lib/portal/identity/single-sign-on/own-provider'
import { startSingleSignOn } from '@/lib/portal/identity/single-sign-on/start'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Field: password if the sign-in is not recent. Returns the provider's address to go to. */
export const connectProvider = ownAction('person.connectProvider', async ({ stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : startSingleSignOn('/account')
})

/** Field: password if the sign-in is not recent. */
export const disconnectProvider = ownAction('person.disconnectProvider', async ({ actor, requestId, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : disconnect(actor, requestId)
})
