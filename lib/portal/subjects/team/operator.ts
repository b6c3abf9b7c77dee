/** What the operator does to accounts in a shell: listing, disabling and enabling them, and removing a lost second factor. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Role } from '@/lib/portal/identity/actor'
import { parseEmail } from '@/lib/portal/identity/email'
import { findMembers, hasEnded } from '@/lib/portal/identity/membership'
import { hasSecondFactor } from '@/lib/portal/identity/second-factor/awaited'
import { endSessionsOf } from '@/lib/portal/identity/session'
import { createRowId } from '@/lib/portal/identity/token'
import { notify } from '@/lib/portal/notifications/notify'
import type { Prisma } from '@/prisma/generated/portal/client'
import { countOwners } from './membership-change'
import { notifyFrozen } from './notify-frozen'
import { type Frozen, withdrawAll } from './withdraw'

/** role: null if no team has the person. */
export type ListedAccount = { email: string; role: Role | null; state: 'active' | 'disabled' | 'no member' }

/** All accounts, by address. */
export async function listAccounts(): Promise<ListedAccount[]> {
  const users = await db().user.findMany({ include: { memberships: true }, orderBy: { email: 'asc' } })
  return users.map(({ email, disabledAt, memberships: [membership] }) => {
    const state = disabledAt ? 'disabled' : membership && !hasEnded(membership) ? 'active' : 'no member'
    return { email, role: membership?.role ?? null, state }
  })
}

/** Nobody is left without an owner: the last one cannot be disabled here either. */
export async function switchAccount(given: string, off: boolean): Promise<{ done: string } | { refusal: string }> {
  const user = await db().user.findUnique({ where: { email: parseEmail(given) ?? '' }, include: { memberships: true } })
  if (!user) return { refusal: 'No user has this email address.' }
  if ((user.disabledAt !== null) === off) return { refusal: `This account is already ${off ? 'disabled' : 'enabled'}.` }
  const event = {
    requestId: createRowId(),
    teamId: user.memberships[0]?.teamId ?? null,
    actor: { kind: 'operator' },
    action: off ? 'member.disable' : 'member.enable',
    object: { kind: 'user', id: user.id },
    detail: { email: user.email, via: 'shell' },
  } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const done = await inTransaction((tx) => (off ? disable(tx, user) : enable(tx, user)))
  await recordOutcomeRow({ ...event, stage: 'outcome', outcome: done.ok ? 'done' : 'failed' })
  if (!done.ok) return { refusal: done.problem.sentence }
  for (const { teamId, frozen } of done.data) await notifyFrozen(teamId, frozen, event)
  return { done: `${user.email} is ${off ? 'disabled and signed out' : 'enabled'}.` }
}

const lastOwner = problem('forbidden', { sentence: 'This is the last owner. Make another member an owner first.' })

type Account = { id: string; memberships: { teamId: string; role: string }[] }

type FrozenByTeam = { teamId: string; frozen: Frozen }[]

async function enable(tx: Prisma.TransactionClient, { id }: Account): Promise<Outcome<FrozenByTeam>> {
  await tx.user.update({ where: { id }, data: { disabledAt: null } })
  return { ok: true, data: [] }
}

/** Returns what was frozen, by team. */
async function disable(tx: Prisma.TransactionClient, { id, memberships }: Account): Promise<Outcome<FrozenByTeam>> {
  await tx.user.update({ where: { id }, data: { disabledAt: new Date() } })
  for (const { teamId, role } of memberships) {
    if (role === 'owner' && (await countOwners(tx, teamId)) === 0) return { ok: false, problem: lastOwner }
  }
  // Also of somebody whom no team has.
  await endSessionsOf(id, tx)
  const data: FrozenByTeam = []
  for (const { teamId } of memberships) data.push({ teamId, frozen: await withdrawAll(tx, { userId: id, teamId }) })
  return { ok: true, data }
}

/**
 * For a lost phone: removes the authenticator app, passkeys and recovery codes, and ends all sessions. The person and every owner are
 * notified, because whoever has the shell could otherwise open an account unnoticed.
 */
export async function removeSecondFactor(given: string): Promise<{ done: string } | { refusal: string }> {
  const user = await db().user.findUnique({ where: { email: parseEmail(given) ?? '' }, include: { memberships: true } })
  if (!user) return { refusal: 'No user has this email address.' }
  if (!(await hasSecondFactor(user.id))) return { refusal: 'This account has no second factor.' }
  const event = { requestId: createRowId(), actor: { kind: 'operator' }, action: 'member.removeSecondFactor' } as const
  await recordAudit({
    ...event,
    teamId: user.memberships[0]?.teamId ?? null,
    object: { kind: 'user', id: user.id },
    stage: 'event',
    outcome: 'done',
    detail: { email: user.email, via: 'shell' },
  })
  const where = { userId: user.id }
  await db().$transaction(async (tx) => {
    await tx.totp.deleteMany({ where })
    await tx.passkey.deleteMany({ where })
    await tx.recoveryCode.deleteMany({ where })
    await endSessionsOf(user.id, tx)
  })
  for (const { teamId } of user.memberships) {
    const userIds = [user.id, ...(await findMembers(teamId, ['owner']))]
    const what = {
      kind: 'second_factor_removed',
      onceKey: `second factor:${event.requestId}`,
      subject: { kind: 'user', id: user.id },
    } as const
    await notify({ teamId, userIds, ...what, detail: { name: user.name } })
  }
  const next = user.passwordHash === null ? ` It has no password: ./gatehouse owner recover ${user.email}` : ''
  return { done: `The second factor of ${user.email} was removed, and all its sessions ended.${next}` }
}
