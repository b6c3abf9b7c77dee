/** Changes the password of a user who knows the present one. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import type { Device } from '@/lib/portal/base/request/device'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person } from './actor'
import { checkPassword, eventOf } from './check-password'
import { dropLinks } from './one-time-link'
import { hashPassword, unlessBusy } from './password'
import { refusePassword } from './password-rules'
import { endOtherSessions, renewSession } from './session'

const action = 'person.changePassword'

/**
 * Checks the present password and the rules for new ones, changes it, ends every other session and invalidates unused links.
 * Returns this session's new id, for the browser's cookie.
 */
export async function changePassword(
  actor: Person,
  { current, next }: { current: string; next: string },
  device: Device,
  requestId: string,
  deviceToken: string | null = null,
): Promise<Outcome<{ sid: string; ended: number }>> {
  // Checked before the attempt is counted: choosing a weak password is not guessing.
  const refusal = refusePassword(next, [actor.user.name, actor.user.email, actor.team.name])
  if (refusal) return { ok: false, problem: problem('invalid', { fields: { password: refusal } }) }
  const checked = await checkPassword(actor, { password: current, field: 'current', action }, device, deviceToken)
  if (!checked.ok) return checked
  if (next.normalize('NFKC') === current.normalize('NFKC')) {
    return { ok: false, problem: problem('invalid', { fields: { password: 'This is already your password. Choose another one.' } }) }
  }
  const hashed = await unlessBusy(hashPassword(next))
  if (!hashed.ok) return hashed
  const { peer, userAgent } = device
  const event = { ...eventOf(actor, action), requestId, detail: { peer, userAgent } }
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const changed = await replacePassword(actor, checked.data.hash, hashed.data)
  await recordAudit({ ...event, stage: 'outcome', outcome: changed.ok ? 'done' : 'failed' })
  return changed
}

/** Refused if the password was replaced since it was checked or this session has ended. */
function replacePassword(actor: Person, from: string, to: string): Promise<Outcome<{ sid: string; ended: number }>> {
  const sentence = 'Your password or session changed in the meantime. Sign in again.'
  const refused = { ok: false, problem: problem('changed_meanwhile', { sentence }) } as const
  return inTransaction(async (tx) => {
    const sid = await renewSession(actor.sessionId, tx)
    if (sid === null) return refused
    const { count } = await tx.user.updateMany({ where: { id: actor.user.id, passwordHash: from }, data: { passwordHash: to } })
    if (count === 0) return refused
    const others = await endOtherSessions({ userId: actor.user.id, keep: actor.sessionId }, tx)
    await dropLinks(actor.user.id, tx)
    // Somebody who knew the old password may have signed in elsewhere, so all browsers are forgotten.
    await tx.knownDevice.deleteMany({ where: { userId: actor.user.id } })
    return { ok: true, data: { sid, ended: others.count } }
  })
}
