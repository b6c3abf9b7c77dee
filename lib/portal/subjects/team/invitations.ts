/** The pending invitations of a team, for the page Team. Contains no token: only its hash is stored. */
import 'server-only'
import { may, mayManage } from '@/lib/portal/access/roles'
import { db } from '@/lib/portal/base/db'
import type { Person, Role } from '@/lib/portal/identity/actor'

export type InvitationView = {
  id: string
  email: string
  role: Role
  /** ISO; null: the membership has no end. */
  membershipEndsAt: string | null
  /** Null if that account no longer exists. */
  invitedBy: string | null
  /** ISO. */
  expiresAt: string
  expired: boolean
  /** Whether the reader may resend and revoke it. */
  changeable: boolean
}

/** Neither accepted nor revoked. */
export const openInvitations = (teamId: string) => ({ teamId, acceptedAt: null, revokedAt: null })

/** Newest first, none for a guest; includes expired ones, which can be sent again. */
export async function listInvitations(actor: Person): Promise<InvitationView[]> {
  if (!may(actor.role, 'team', 'read')) return []
  const rows = await db().invitation.findMany({
    where: openInvitations(actor.team.id),
    select: {
      id: true,
      email: true,
      role: true,
      membershipEndsAt: true,
      expiresAt: true,
      invitedBy: { select: { name: true } },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
  return rows.map(({ membershipEndsAt, expiresAt, invitedBy, ...row }) => ({
    ...row,
    membershipEndsAt: membershipEndsAt?.toISOString() ?? null,
    invitedBy: invitedBy?.name ?? null,
    expiresAt: expiresAt.toISOString(),
    expired: expiresAt.getTime() <= Date.now(),
    changeable: mayManage(actor.role, row.role),
  }))
}
