'use server'

import { readDevice } from '@/lib/portal/base/request/device'
import { addPasskey as add, startPasskey as start } from '@/lib/portal/identity/passkeys/add'
import { removePasskey as remove, renamePasskey as rename } from '@/lib/portal/identity/passkeys/own'
import { ownAction } from '@/lib/portal/spine/guarded-action'

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
  rename(actor, field('passkeyId'), field('label'), requestId),
)

/** Fields: passkeyId, and a proof if the sign-in is not recent. */
export const removePasskey = ownAction('person.removePasskey', async ({ actor, field, requestId, stepUp }) => {
  const unproven = await stepUp()
  return unproven ? { ok: false, problem: unproven } : remove(actor, field('passkeyId'), requestId)
})
