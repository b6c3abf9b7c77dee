/** Recovers an account without its password: a link created on the server itself, by an admin or by mail, valid for one new password. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import { inTransaction } from '@/lib/portal/base/transaction'
import { notify } from '@/lib/portal/notifications/notify'
import type { OneTimeLink, Prisma } from '@/prisma/generated/portal/client'
import { dropFactors } from './drop-factors'
import { parseEmail } from './email'
import { findMembers, lastingMemberships } from './membership'
import { createLink, dropLinks, findLink, linkClosed, takeLink } from './one-time-link'
import { hashPassword, unlessBusy } from './password'
import { refusePassword } from './password-rules'
import { endSessionsOf, openSession } from './session'
import { requiresSingleSignOn } from './single-sign-on/required'
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
  const link = await findRecoveryLink(token)
  if (!link?.userId) return null
  return db().user.findFirst({ where: { id: link.userId, disabledAt: null }, select: { email: true } })
}

/** recover: made in a shell. reset: by an admin or by mail. */
const findRecoveryLink = async (token: unknown) => (await findLink('recover', token)) ?? findLink('reset', token)

/** Whether a link still counts that another member made: either of the two may have another role by now. */
export type MakerRule = (link: { userId: string; createdById: string }, tx: Prisma.TransactionClient) => Promise<boolean>

const none: MakerRule = async () => false

/**
 * Uses the link, sets the password, ends all sessions of the user, and signs them in. Without `mayMakerStill`, no link counts that another
 * member made.
 */
export async function recoverAccount(
  token: string,
  password: string,
  device: Device,
  mayMakerStill: MakerRule = none,
): Promise<Outcome<{ sid: string | null }>> {
  const link = await findRecoveryLink(token)
  const user = link?.userId
    ? await db().user.findUnique({
        where: { id: link.userId },
        include: { memberships: { where: lastingMemberships(), include: { team: true }, take: 1, orderBy: { createdAt: 'asc' } } },
      })
    : null
  const membership = user?.memberships[0]
  if (!link || !user || user.disabledAt || !membership) return { ok: false, problem: linkClosed() }
  const { teamId } = membership
  const refusal = refusePassword(password, [user.name, user.email])
  if (refusal) return { ok: false, problem: problem('invalid', { fields: { password: refusal } }) }
  const hashed = await unlessBusy(hashPassword(password))
  if (!hashed.ok) return hashed
  const event = {
    requestId: createRowId(),
    teamId,
    actor: { kind: 'user', id: user.id, sessionId: null },
    action: link.purpose === 'reset' ? 'person.resetPassword' : 'owner.recover',
    object: { kind: 'user', id: user.id },
    detail: { email: user.email, peer: device.peer, userAgent: device.userAgent },
  } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const replaced = await replacePassword({ ...link, userId: user.id }, token, hashed.data, mayMakerStill)
  await recordAudit({ ...event, stage: 'outcome', outcome: replaced.ok ? 'done' : 'failed' })
  if (!replaced.ok) return replaced
  log.warn({ userId: user.id, peer: device.peer }, 'a password was replaced by a recovery link')
  await forgetAccount(user.email)
  await tell(event.requestId, teamId, user, link.createdById)
  if (requiresSingleSignOn(membership)) return { ok: true, data: { sid: null } }
  return { ok: true, data: { sid: await openSession({ userId: user.id, teamId }, device) } }
}

/** The person and every owner learn of it, so that nobody takes over an account unnoticed. */
async function tell(requestId: string, teamId: string, { id, name }: { id: string; name: string }, makerId: string | null): Promise<void> {
  const maker = makerId === null ? null : await db().user.findUnique({ where: { id: makerId }, select: { name: true } })
  const userIds = [id, ...(await findMembers(teamId, ['owner']))]
  const event = { kind: 'password_reset', onceKey: `reset:${requestId}`, subject: { kind: 'user', id } } as const
  await notify({ teamId, userIds, ...event, detail: { name, by: maker?.name ?? '' } })
}

type UserLink = Pick<OneTimeLink, 'purpose' | 'createdById'> & { userId: string }

/** Refused if the link was used meanwhile, or its maker may not make it any more. Also ends sessions opened with the old password. */
function replacePassword(
  { purpose, userId, createdById }: UserLink,
  token: string,
  passwordHash: string,
  mayMakerStill: MakerRule,
): Promise<Outcome<null>> {
  const refused = { ok: false, problem: linkClosed() } as const
  return inTransaction(async (tx) => {
    if (!(await takeLink(purpose, token, tx))) return refused
    if (createdById !== null && !(await mayMakerStill({ userId, createdById }, tx))) return refused
    await setPassword(tx, { userId, passwordHash, createdById })
    await dropLinks(userId, tx)
    await endSessionsOf(userId, tx)
    // Somebody who knew the old password may have signed in elsewhere, so all browsers are forgotten.
    await tx.knownDevice.deleteMany({ where: { userId } })
    return { ok: true, data: null }
  })
}

/**
 * passwordById of an account whose maker has one of their own is the same, because whoever was shown the link to the maker's account may have made
 * this one. They may also have set up other ways in, which end with it.
 */
async function setPassword(
  tx: Prisma.TransactionClient,
  { userId, passwordHash, createdById }: { userId: string; passwordHash: string; createdById: string | null },
): Promise<void> {
  const ids = createdById === null ? [userId] : [userId, createdById]
  const accounts = await tx.user.findMany({ where: { id: { in: ids } }, select: { id: true, passwordById: true } })
  const byOf = (id: string | null) => accounts.find((account) => account.id === id)?.passwordById ?? null
  if (byOf(userId) !== null) {
    await dropFactors(userId, tx)
    await tx.externalIdentity.deleteMany({ where: { userId } })
  }
  await tx.user.update({ where: { id: userId }, data: { passwordHash, passwordById: byOf(createdById) ?? createdById } })
}
