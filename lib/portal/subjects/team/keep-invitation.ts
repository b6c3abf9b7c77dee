/** Stores an invitation, from the portal or a shell. */
import 'server-only'
import type { Outcome, Problem } from '@/lib/contract/problem'
import { inTransaction } from '@/lib/portal/base/transaction'
import { refuseEmail } from '@/lib/portal/identity/email'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { Prisma } from '@/prisma/generated/portal/client'
import { openInvitations } from './invitations'

type Refuse = (tx: Prisma.TransactionClient) => Promise<Problem | null>

const never: Refuse = async () => null

/** Refused if the address cannot be invited, or by `refuse`. */
export const keepInvitation = (row: Prisma.InvitationUncheckedCreateInput, refuse: Refuse = never): Promise<Outcome<null>> =>
  inTransaction((tx) => storeInvitation(tx, row, refuse))

/**
 * Like keepInvitation, within the caller's transaction, which a refusal has to undo. Writes first, so that of two simultaneous invitations to an
 * address one is kept.
 */
export async function storeInvitation(
  tx: Prisma.TransactionClient,
  row: Prisma.InvitationUncheckedCreateInput,
  refuse: Refuse = never,
): Promise<Outcome<null>> {
  await tx.invitation.create({ data: row })
  const refused = await refuse(tx)
  if (refused) return { ok: false, problem: refused }
  const member = await tx.membership.count({ where: { teamId: row.teamId, user: { email: row.email }, ...lastingMemberships() } })
  if (member > 0) return refuseEmail('This address belongs to a member.')
  if ((await tx.user.count({ where: { email: row.email, disabledAt: { not: null } } })) > 0) {
    return refuseEmail('This account is disabled. The server administrator can enable it: ./gatehouse users enable EMAIL')
  }
  const open = await tx.invitation.count({ where: { ...openInvitations(row.teamId), email: row.email } })
  if (open > 1) return refuseEmail('This address is already invited. Resend or revoke that invitation.')
  return { ok: true, data: null }
}
