/** Asks for the password again before an irreversible action, unless it was entered recently. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { readDevice } from '@/lib/portal/base/request/device'
import type { Person } from './actor'
import { checkPassword, eventOf } from './check-password'
import { writeSid } from './cookie'
import { readDeviceToken } from './known-device'
import { renewSession } from './session'

const freshMs = 5 * 60_000

/**
 * Null if the user entered their password in the last 5 minutes, or `password` is correct: the session then continues under a new id.
 * Otherwise a problem at the field `password`. Only in actions, because it may set the cookie.
 */
export async function stepUp(actor: Person, password: string): Promise<Problem | null> {
  if (Date.now() - actor.stepUpAt.getTime() < freshMs) return null
  if (password === '') {
    return problem('invalid', { fields: { password: 'Confirm your password to continue.' } })
  }
  const device = await readDevice()
  const checked = await checkPassword(actor, { password, field: 'password', action: 'session.stepUp' }, device, await readDeviceToken())
  if (!checked.ok) return checked.problem
  const sid = await renewSession(actor.sessionId)
  if (sid === null) return problem('signed_out')
  await writeSid(sid)
  const { peer, userAgent } = device
  await recordAudit({ ...eventOf(actor, 'session.stepUp'), stage: 'event', outcome: 'done', detail: { peer, userAgent } })
  return null
}
