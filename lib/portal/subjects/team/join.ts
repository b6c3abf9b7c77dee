/** The one transaction that uses an invitation. */
import 'server-only'
import { problem } from '@/lib/contract/problem'
import { everything } from '@/lib/portal/access/grants/stored'
import { mayManage } from '@/lib/portal/access/roles'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import { hasEnded } from '@/lib/portal/identity/membership'
import { addIdentity, type NewIdentity } from '@/lib/portal/identity/single-sign-on/identities'
import { hashToken } from '@/lib/portal/identity/token'
import type { Invitation, Prisma } from '@/prisma/generated/portal/client'
import { hasFullAccess } from './full-owner'
import { closeRequestsOf } from './requests/close'

/** account: what to store for a new one; null if the user exists and has proven it. */
export type Joining = { userId: string; account: { name: string; passwordHash: string | null } | null }

/**
 * False if the link was used, expired or was revoked meanwhile, or if the person who answers for the invitation may no longer give its
 * role. Its first statement writes, so that of simultaneous attempts one succeeds.
 */
export function join(token: string, joining: Joining): Promise<boolean> {
  return use({ tokenHash: hashToken(token) }, joining, async () => true)
}

/** The same for an invitation by its id, whose address an identity provider has verified: joins the provider's account as well. */
export function joinByProvider(id: string, joining: Joining, identity: NewIdentity): Promise<boolean> {
  return use({ id }, joining, async (tx) => {
    const { issuer, subject, userId } = identity
    // Somebody who was removed and invited again is joined already.
    if ((await tx.externalIdentity.count({ where: { issuer, subject, userId } })) > 0) return true
    return addIdentity(identity, null, tx)
  })
}

type Which = { tokenHash: string } | { id: string }

async function use(which: Which, joining: Joining, also: (tx: Prisma.TransactionClient) => Promise<boolean>): Promise<boolean> {
  const refused = { ok: false, problem: problem('changed_meanwhile') } as const
  const used = await inTransaction(
    async (tx) => {
      const invitation = await take(which, tx)
      if (!invitation || !(await maySendStill(invitation, tx))) return refused
      const joined = (await admit(invitation, joining, tx)) && (await also(tx))
      return joined ? { ok: true, data: null } : refused
    },
    // An account with that address was created meanwhile, or the provider's account belongs to somebody else.
    { taken: refused.problem },
  )
  return used.ok
}

async function take(which: Which, tx: Prisma.TransactionClient): Promise<Invitation | null> {
  const now = new Date()
  const { count } = await tx.invitation.updateMany({
    where: {
      ...which,
      acceptedAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
      OR: [{ membershipEndsAt: null }, { membershipEndsAt: { gt: now } }],
    },
    data: { acceptedAt: now },
  })
  return count === 1 ? tx.invitation.findUnique({ where: which }) : null
}

async function maySendStill({ teamId, role, invitedById }: Invitation, tx: Prisma.TransactionClient): Promise<boolean> {
  if (invitedById === null) return false
  const inviter = await tx.membership.findUnique({
    where: { userId_teamId: { userId: invitedById, teamId } },
    include: { user: { select: { disabledAt: true } } },
  })
  if (inviter === null || hasEnded(inviter) || inviter.user.disabledAt !== null || !mayManage(inviter.role, role)) return false
  return inviter.role === 'owner' || hasFullAccess(tx, { teamId, userId: invitedById, role: inviter.role })
}

/**
 * A membership that has ended begins again, without the grants and loans that it had. False for a member, and for an account that is disabled
 * or has another address.
 */
async function admit(invitation: Invitation, { userId, account }: Joining, tx: Prisma.TransactionClient): Promise<boolean> {
  const { teamId, email, role, membershipEndsAt, invitedById } = invitation
  const passwordById = account?.passwordHash ? invitation.linkShownToId : null
  if (account) await tx.user.create({ data: { id: userId, email, ...account, passwordById } })
  const key = { userId_teamId: { userId, teamId } }
  const user = await tx.user.findUnique({ where: { id: userId, email, disabledAt: null } })
  const membership = await tx.membership.findUnique({ where: key })
  if (!user || (membership && !hasEnded(membership))) return false
  const terms = { role, endsAt: membershipEndsAt, createdAt: new Date() }
  await tx.membership.upsert({ where: key, create: { userId, teamId, ...terms }, update: terms })
  await tx.grant.deleteMany({ where: { userId, teamId } })
  await tx.loan.deleteMany({ where: { userId, teamId } })
  await closeRequestsOf(tx, { userId, teamId })
  if (invitation.everything && role !== 'guest')
    await tx.grant.create({ data: { teamId, userId, givenById: invitedById, ...everything(createOpaqueId(), '') } })
  return true
}
