/** Sends a pending invitation again, or revokes it. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { roleNames } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import { db } from '@/lib/portal/base/db'
import { isOpaqueId } from '@/lib/portal/base/opaque-id'
import { inTransaction } from '@/lib/portal/base/transaction'
import type { Person } from '@/lib/portal/identity/actor'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import type { Second } from '@/lib/portal/spine/held/own'
import { refuseTurnedOn } from '@/lib/portal/spine/held/rule'
import type { Invitation } from '@/prisma/generated/portal/client'
import { formatEndDate } from './end-date'
import { createInvitationLink, type Invited, mailInvitation, shownTo } from './invitation-link'
import { openInvitations } from './invitations'
import { refuseUnknown, runForTeam } from './recorded'

const gone = { ok: false, problem: problem('not_found', { sentence: 'This invitation was accepted or revoked.' }) } as const

/**
 * Fields: invitationId, and password if the sign-in is not recent. The new link replaces the old one, and the sender answers for the
 * invitation from now on.
 */
export async function resendInvitation(input: OwnInput): Promise<Outcome<Invited>> {
  const { actor, requestId, field, stepUp, approvedDigest } = input
  const id = field('invitationId')
  const found = await find(actor, id)
  if (!found) return refuseUnknown(actor, 'invitation.resend', { kind: 'invitation', id })
  const { email, role } = found
  const second: Second = {
    fields: pickFields(input, ['invitationId']),
    what: `Send the invitation of ${email} as ${roleNames[role]} again, with a new link`,
    now: {
      'Membership ends': formatEndDate(found.membershipEndsAt) ?? 'never',
      Access: found.everything ? 'everything' : 'nothing at first',
    },
    approvedDigest,
  }
  return runForTeam({ ...changeOf(actor, 'invitation.resend', requestId, found), prove: stepUp, second }, async (now) => {
    const { link, ...stored } = createInvitationLink()
    const data = {
      ...stored,
      invitedById: now.user.id,
      linkShownToId: shownTo(now, approvedDigest),
      approved: approvedDigest !== undefined,
    }
    const kept = await inTransaction(async (tx) => {
      const { count } = await tx.invitation.updateMany({ where: { id, ...openInvitations(now.team.id) }, data })
      // The rule may have been turned on since it was checked.
      const held = await refuseTurnedOn(tx, now.team.id, 'invitation.resend', approvedDigest)
      if (held) return { ok: false, problem: held }
      return count === 1 ? { ok: true, data: null } : gone
    })
    return kept.ok ? { ok: true, data: await mailInvitation(now, found, link) } : kept
  })
}

/** Field: invitationId. */
export async function revokeInvitation({ actor, requestId, field }: OwnInput): Promise<Outcome<{ email: string }>> {
  const id = field('invitationId')
  const found = await find(actor, id)
  if (!found) return refuseUnknown(actor, 'invitation.revoke', { kind: 'invitation', id })
  return runForTeam(changeOf(actor, 'invitation.revoke', requestId, found), async (now) => {
    const { count } = await db().invitation.updateMany({
      where: { id, ...openInvitations(now.team.id) },
      data: { revokedAt: new Date() },
    })
    return count === 1 ? { ok: true, data: { email: found.email } } : gone
  })
}

async function find(actor: Person, id: string): Promise<Invitation | null> {
  return isOpaqueId(id) ? db().invitation.findFirst({ where: { id, ...openInvitations(actor.team.id) } }) : null
}

function changeOf(actor: Person, action: OwnAction, requestId: string, { id, email, role, membershipEndsAt }: Invitation) {
  const detail = { email, role, until: formatEndDate(membershipEndsAt) }
  return { actor, action, requestId, object: { kind: 'invitation', id }, detail, touches: [role] } as const
}
