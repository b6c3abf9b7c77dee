/** Stores an invitation, from the portal or a shell. */
import 'server-only'
import type { Outcome, Problem } from '@/lib/contract/problem'
import { inTransaction } from '@/lib/portal/base/transaction'
import { refuseEmail } from '@/lib/portal/identity/email'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import type { Prisma } from '@/prisma/generated/portal/client'
import { openInvitations } from './invitations'

/**
 * Refused if the address cannot be invited, or by `refuse`. Writes first, so that of two simultaneous invitations to an address one is kept.
 */
export function keepInvitation(
  row: Prisma.InvitationUncheckedCreateInput,
  refuse: (tx: Prisma.TransactionClient) => Promise<Problem | null> = async () => null,
): Promise<Outcome<null>> {
  return inTransaction(async (tx) => {
    await tx.invitation.create({ data: row })
    const refused = await refuse(tx)
    if (refused) return { ok: false, problem: refused }
    const member = await tx.membership.count({ where: { teamId: row.teamId, user: { email: row.email }, ...lastingMemberships() } })
    if (member > 0) return refuseEmail('This address belongs to a member.')
    if ((await tx.user.count({ where: { email: row.email, disabledAt: { not: null } } })) > 0) {
      return refuseEmail('This account is disabled. The server administrator can enable it: npm run users -- enable EMAIL')
    }
    const open = await tx.invitation.count({ where: { ...openInvitations(row.teamId), email: row.email } })
    if (open > 1) return refuseEmail('This address is already invited. Resend or revoke that invitation.')
    return { ok: true, data: null }
  })
}
