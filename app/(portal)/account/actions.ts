'use server'

import { readDevice } from '@/lib/portal/base/request/device'
import { confirmEmail, requestEmail } from '@/lib/portal/identity/change-email'
import { changePassword as change } from '@/lib/portal/identity/change-password'
import { writeSid } from '@/lib/portal/identity/cookie'
import { readDeviceToken } from '@/lib/portal/identity/known-device'
import { addPasskey as add, startPasskey as start } from '@/lib/portal/identity/passkeys/add'
import { renamePasskey as relabel, removePasskey as remove } from '@/lib/portal/identity/passkeys/own'
import { renamePerson } from '@/lib/portal/identity/rename'
import { confirmTotp, removeTotp, renewCodes, startTotp } from '@/lib/portal/identity/second-factor/totp'
import { endOwnOtherSessions, endOwnSession } from '@/lib/portal/identity/sessions'
import { disconnectProvider as disconnect } from '@/lib/portal/identity/single-sign-on/own-provider'
import { startSingleSignOn } from '@/lib/portal/identity/single-sign-on/start'
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

/** A proof if the sign-in is not recent. Returns what the browser needs to create a passkey. */
export const startPasskey = ownAction('person.addPasskey', async ({ actor, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : start(actor, (await readDevice()).peer)
})

/** Field: created, what the browser answered. Returns the recovery codes, once, if this is the first second factor. */
export const addPasskey = ownAction('person.addPasskey', async ({ actor, field, requestId }) =>
  add(actor, field('created'), await readDevice(), requestId),
)

/** Fields: passkeyId, label. */
export const renamePasskey = ownAction('person.renamePasskey', ({ actor, field, requestId }) =>
  relabel(actor, field('passkeyId'), field('label'), requestId),
)

/** Fields: passkeyId, and a proof if the sign-in is not recent. */
export const removePasskey = ownAction('person.removePasskey', async ({ actor, field, requestId, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : remove(actor, field('passkeyId'), requestId)
})

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

/** Field: name. */
export const rename = ownAction('person.rename', ({ actor, field, requestId }) => renamePerson(actor, field('name'), requestId))

/** Fields: current, password (the new one). */
export const changePassword = ownAction('person.changePassword', async ({ actor, field, requestId }) => {
  const given = { current: field('current'), next: field('password') }
  const changed = await change(actor, given, await readDevice(), requestId, await readDeviceToken())
  if (!changed.ok) return changed
  await writeSid(changed.data.sid)
  return { ok: true, data: { ended: changed.data.ended } }
})

/** Fields: sessionId, and password if the sign-in is not recent. */
export const endSession = ownAction('session.end', async ({ actor, field, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : endOwnSession(actor, field('sessionId'))
})

/** Field: password if the sign-in is not recent. */
export const endOtherSessions = ownAction('session.endOthers', async ({ actor, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : endOwnOtherSessions(actor)
})
