'use server'

import { readDevice } from '@/lib/portal/base/request/device'
import { confirmEmail, requestEmail } from '@/lib/portal/identity/change-email'
import { writeSid } from '@/lib/portal/identity/cookie'
import { ownAction } from '@/lib/portal/spine/guarded-action'

/** Fields: email, and password if the sign-in is not recent. The answer is the same for every address. */
export const requestNewEmail = ownAction('person.requestEmail', async ({ actor, field, requestId, stepUp }) => {
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  const { peer } = await readDevice()
  const requested = await requestEmail(actor, field('email'), peer, requestId)
  return requested.ok ? { ok: true, data: { email: requested.data.email } } : requested
})

/** Field: token. The session continues under a new id. */
export const confirmNewEmail = ownAction('person.changeEmail', async ({ actor, field, requestId }) => {
  const confirmed = await confirmEmail(actor, field('token'), requestId)
  if (!confirmed.ok) return confirmed
  await writeSid(confirmed.data.sid)
  return { ok: true, data: { email: confirmed.data.email } }
})
