/** Joins a user with their account at an identity provider. The pair of issuer and subject decides, never the address. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Prisma } from '@/prisma/generated/portal/client'
import { dropFactors } from '../drop-factors'
import { notifyWaysIn } from '../notify-ways-in'
import { createRowId } from '../token'

export type NewIdentity = { issuer: string; subject: string; userId: string }

/**
 * `keep`: the session that stays; `null` if there is none. False if this user has an account at a provider already; throws a unique
 * violation if that account belongs to another user. Its first statement writes, so of two attempts at once one succeeds.
 */
export async function addIdentity(
  { issuer, subject, userId }: NewIdentity,
  keep: string | null,
  tx: Prisma.TransactionClient,
): Promise<boolean> {
  await tx.externalIdentity.create({ data: { issuer, subject, userId, lastUsedAt: new Date() } })
  if ((await tx.externalIdentity.count({ where: { userId } })) > 1) return false
  await dropUnproven(userId, keep, tx)
  return true
}

/**
 * The provider has just proven the address. If nobody had before, whoever chose the password may be somebody else, so all ways in that
 * they set up are removed. An owner's stay, because they are the way back; their other sessions end too.
 */
async function dropUnproven(userId: string, keep: string | null, tx: Prisma.TransactionClient): Promise<void> {
  const { count } = await tx.user.updateMany({ where: { id: userId, emailProvenAt: null }, data: { emailProvenAt: new Date() } })
  if (count === 0) return
  const others = { userId, revokedAt: null, ...(keep !== null && { id: { not: keep } }) }
  await tx.session.updateMany({ where: others, data: { revokedAt: new Date() } })
  await tx.knownDevice.deleteMany({ where: { userId } })
  if ((await tx.membership.count({ where: { userId, role: 'owner' } })) > 0) return
  await tx.user.update({ where: { id: userId }, data: { passwordHash: null } })
  await dropFactors(userId, tx)
  await tx.oneTimeLink.deleteMany({ where: { userId, usedAt: null } })
}

/** For a user who has just signed in. False if it was refused. */
export async function connectIdentity({
  teamId,
  sessionId,
  email,
  ...identity
}: NewIdentity & { teamId: string; sessionId: string; email: string }): Promise<boolean> {
  const event = {
    requestId: createRowId(),
    teamId,
    actor: { kind: 'user', id: identity.userId, sessionId },
    action: 'person.connectProvider',
    object: { kind: 'user', id: identity.userId },
    detail: { email, address: identity.issuer },
  } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const refused = { ok: false, problem: problem('changed_meanwhile') } as const
  const connected = await inTransaction(async (tx) => ((await addIdentity(identity, sessionId, tx)) ? { ok: true, data: null } : refused), {
    taken: refused.problem,
  })
  await recordOutcomeRow({ ...event, stage: 'outcome', outcome: connected.ok ? 'done' : 'failed' })
  if (connected.ok) await notifyWaysIn(teamId, identity.userId, event.action)
  return connected.ok
}
