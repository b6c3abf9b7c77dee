'use server'

import { confirmTotp, removeTotp, renewCodes, startTotp } from '@/lib/portal/identity/second-factor/totp'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Field: password if the sign-in is not recent. Returns the seed, once. */
export const startAuthenticator = ownAction('person.startTotp', async ({ actor, requestId, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : startTotp(actor, requestId)
})

/** Field: code. Returns the recovery codes, once. */
export const confirmAuthenticator = ownAction('person.addTotp', ({ actor, field, requestId }) =>
  confirmTotp(actor, field('code'), requestId),
)

/** Field: password if the sign-in is not recent. */
export const removeAuthenticator = ownAction('person.removeTotp', async ({ actor, requestId, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : removeTotp(actor, requestId)
})

/** Field: password if the sign-in is not recent. Returns the new recovery codes, once. */
export const renewRecoveryCodes = ownAction('person.renewRecoveryCodes', async ({ actor, requestId, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : renewCodes(actor, requestId)
})
