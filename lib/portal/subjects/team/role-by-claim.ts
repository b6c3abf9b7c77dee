/** The role that the identity provider's claim names, if the operator chose a claim. */
import 'server-only'
import { log } from '@/lib/log'
import { recordAudit, recordOutcomeRow } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Claims } from '@/lib/portal/identity/single-sign-on/claims'
import { createRowId } from '@/lib/portal/identity/token'
import type { Prisma } from '@/prisma/generated/portal/client'
import { notifyFrozen } from './notify-frozen'
import { nothingFrozen, withdrawBeyond } from './withdraw'

/** Never changes an owner, and never makes one. Without a usable claim the role stays. */
export async function applyRole(
  { userId, teamId }: { userId: string; teamId: string },
  { role, unknownRole, issuer }: Claims,
): Promise<void> {
  if (unknownRole !== null) log.warn({ userId, claim: unknownRole }, 'the role in the claim is unknown and was ignored')
  if (role === null) return
  const where = { userId, teamId, role: { notIn: ['owner', role] } } satisfies Prisma.MembershipWhereInput
  const found = await db().membership.findFirst({ where, include: { user: { select: { email: true } } } })
  if (!found) return
  const event = {
    requestId: createRowId(),
    teamId,
    actor: { kind: 'gatehouse' },
    action: 'member.roleByClaim',
    object: { kind: 'user', id: userId },
    detail: { email: found.user.email, role, address: issuer },
  } as const
  await recordAudit({ ...event, stage: 'intent', outcome: 'asked' })
  const frozen = await db().$transaction(async (tx) => {
    // They may have become an owner, or have been removed, meanwhile.
    const { count } = await tx.membership.updateMany({ where, data: { role } })
    return count > 0 ? withdrawBeyond(role, tx, { userId, teamId }) : null
  })
  await recordOutcomeRow({ ...event, stage: 'outcome', outcome: frozen ? 'done' : 'failed' })
  await notifyFrozen(teamId, frozen ?? nothingFrozen, event)
}
