'use server'

import { readDevice } from '@/lib/portal/base/request/device'
import { changePassword as change } from '@/lib/portal/identity/change-password'
import { writeSid } from '@/lib/portal/identity/cookie'
import { readDeviceToken } from '@/lib/portal/identity/known-device'
import { renamePerson } from '@/lib/portal/identity/rename'
import { endOwnOtherSessions, endOwnSession } from '@/lib/portal/identity/sessions'
import { ownAction } from '@/lib/portal/spine/guarded-action'

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
