/** Recovers an account without its password: a link created on the server itself, valid for one new password. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import { parseEmail } from './email'
import { createLink, findLink, takeLink } from './one-time-link'
import { hashPassword, unlessBusy } from './password'
import { refusePassword } from './password-rules'
import { endSessionsOf, openSession } from './session'
import { forgetAccount } from './throttle'
import { createRowId } from './token'

/** For the operator: the link's URL, or null if no active user has this address. Logs the intent first. */
export async function createRecoveryLink(email: string): Promise<string | null> {
  const user = await db().user.findUnique({ where: { email: parseEmail(email) ?? '' }, include: { memberships: true } })
  if (!user || user.disabledAt) return null
  await recordAudit({
    teamId: user.memberships[0]?.teamId ?? null,
    actor: { kind: 'operator' },
    action: 'owner.recoverLink',
    object: { kind: 'user', id: user.id },
    stage: 'event',
    outcome: 'done',
    detail: { email: user.email, via: 'shell' },
  })
  return createLink('recover', user.id)
}

/** For the recovery page: the link's user, or null if it is invalid. Changes nothing. */
export async function findRecovering(token: unknown): Promise<{ email: string } | null> {
  const link = await findLink('recover', token)
  if (!link?.userId) return null
  return db().user.findFirst({ where: { id: link.userId, disabledAt: null }, select: { email: true } })
}

const closed = (): Problem =>
  problem('not_found', {
    sentence:
      'This link was used, has expired or was replaced. Create a new one on the machine that runs Gatehouse: npm run owner -- recover EMAIL',
  })

/** Uses the link, sets the password, ends all sessions of the user, and signs them in. */
export async function recoverAccount(token: string, password: string, device: Device): Promise<Outcome<{ sid: string }>> {
  const link = await findLink('recover', token)
  const user = link?.userId
    ? await db().user.findUnique({ where: { id: link.userId }, include: { memberships: { take: 1, orderBy: { createdAt: 'asc' } } } })
    : null
  const teamId = user?.memberships[0]?.teamId
  if (!user || user.disabledAt || teamId === undefined) return { ok: false, problem: closed() }
  const refusal = refusePassword(password, [user.name, user.email])
  if (refusal) return { ok: false, problem: problem('invalid', { fields: { password: refusal } }) }
  const hashed = await unlessBusy(hashPassword(password))
  if (!hashed.ok) return hashed
  const event = {
    requestId: createRowId(),
    teamId,
    actor: { kind: 'user', id: user.id, sessionId: null },
    action: 'owner.recover',
    object: { kind: 'user', id: user.id },
    detail: { email: user.email, peer: device.peer, userAgent: device.userAgent },
  } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const taken = await replacePassword(token, user.id, hashed.data)
  await recordAudit({ ...event, stage: 'outcome', outcome: taken ? 'done' : 'failed' })
  if (!taken) return { ok: false, problem: closed() }
  log.warn({ userId: user.id, peer: device.peer }, 'a password was replaced by a recovery link')
  await forgetAccount(user.email)
  return { ok: true, data: { sid: await openSession({ userId: user.id, teamId }, device) } }
}

/** False if the link was used meanwhile. Also ends sessions opened with the old password. */
function replacePassword(token: string, userId: string, passwordHash: string): Promise<boolean> {
  return db().$transaction(async (transaction) => {
    if (!(await takeLink('recover', token, transaction))) return false
    await transaction.user.update({ where: { id: userId }, data: { passwordHash } })
    await endSessionsOf(userId, transaction)
    // Somebody who knew the old password may have signed in elsewhere, so all browsers are forgotten.
    await transaction.knownDevice.deleteMany({ where: { userId } })
    return true
  })
}
