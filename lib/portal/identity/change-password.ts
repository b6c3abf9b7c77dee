/** Changes the password of a user who knows the present one. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import type { Person } from './actor'
import { checkPassword, eventOf } from './check-password'
import { hashPassword, unlessBusy } from './password'
import { refusePassword } from './password-rules'
import { endOtherSessions, renewSession } from './session'

const action = 'person.changePassword'

/**
 * Checks the present password and the rules for new ones, changes it, ends every other session and invalidates unused recovery links.
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
  await recordAudit({ ...event, stage: 'outcome', outcome: changed ? 'done' : 'failed' })
  return changed
    ? { ok: true, data: changed }
    : { ok: false, problem: problem('changed_meanwhile', { sentence: 'Your password or session changed in the meantime. Sign in again.' }) }
}

/** Null, without a change, if the password was replaced since it was checked or this session has ended. */
function replacePassword(actor: Person, from: string, to: string): Promise<{ sid: string; ended: number } | null> {
  return db()
    .$transaction(async (transaction) => {
      // This write takes SQLite's write lock, so the following read is current.
      const sid = await renewSession(actor.sessionId, transaction)
      if (sid === null) return null
      const { count } = await transaction.user.updateMany({ where: { id: actor.user.id, passwordHash: from }, data: { passwordHash: to } })
      if (count === 0) throw new ChangedMeanwhile()
      const others = await endOtherSessions({ userId: actor.user.id, keep: actor.sessionId }, transaction)
      await transaction.oneTimeLink.deleteMany({ where: { userId: actor.user.id, purpose: 'recover', usedAt: null } })
      // Somebody who knew the old password may have signed in elsewhere, so all browsers are forgotten.
      await transaction.knownDevice.deleteMany({ where: { userId: actor.user.id } })
      return { sid, ended: others.count }
    })
    .catch((error: unknown) => {
      if (error instanceof ChangedMeanwhile) return null
      throw error
    })
}

/** Rolls back the transaction. */
class ChangedMeanwhile extends Error {}
