/** Links that lead to an account of the team and were made without a second person. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { openInvitations } from '@/lib/portal/subjects/team/invitations'
import type { Prisma } from '@/prisma/generated/portal/client'

const usableInvitations = (teamId: string) => ({ ...openInvitations(teamId), approved: false, expiresAt: { gt: new Date() } })

const madeResets = (teamId: string) => ({
  purpose: 'reset' as const,
  usedAt: null,
  approved: false,
  createdById: { not: null },
  expiresAt: { gt: new Date() },
  user: { memberships: { some: { teamId } } },
})

export async function countOpenLinks(teamId: string): Promise<number> {
  const [invitations, resets] = await Promise.all([
    db().invitation.count({ where: usableInvitations(teamId) }),
    db().oneTimeLink.count({ where: madeResets(teamId) }),
  ])
  return invitations + resets
}

/** The invitations stay and can be sent again, which then waits for a second person. */
export async function endOpenLinks(tx: Prisma.TransactionClient, teamId: string): Promise<void> {
  await tx.invitation.updateMany({ where: usableInvitations(teamId), data: { expiresAt: new Date() } })
  await tx.oneTimeLink.deleteMany({ where: madeResets(teamId) })
}
