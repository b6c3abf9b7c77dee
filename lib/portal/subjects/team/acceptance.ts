/** What every accepted invitation has: the two entries of the audit log, and notifications. */
import 'server-only'
import type { AuditDetail } from '@/lib/portal/audit/detail'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { findMembers } from '@/lib/portal/identity/membership'
import { createRowId } from '@/lib/portal/identity/token'
import { notify } from '@/lib/portal/notifications/notify'
import type { Invitation } from '@/prisma/generated/portal/client'
import { formatEndDate } from './end-date'

type Joined = { userId: string; name: string }

/** Calls `join` between the two entries. `about`: how it was accepted, for both. False if the invitation cannot be used any more. */
export async function recordAcceptance(
  invitation: Invitation,
  { userId, name }: Joined,
  about: AuditDetail,
  join: () => Promise<boolean>,
): Promise<boolean> {
  const { id, teamId, email, role, membershipEndsAt } = invitation
  const event = {
    requestId: createRowId(),
    teamId,
    action: 'invitation.accept',
    object: { kind: 'invitation', id },
    detail: { email, role, until: formatEndDate(membershipEndsAt), ...about },
  } as const
  await recordAudit({ ...event, actor: { kind: 'nobody' }, stage: 'intent', outcome: 'asked' })
  const joined = await join()
  const actor = joined ? ({ kind: 'user', id: userId, sessionId: null } as const) : ({ kind: 'nobody' } as const)
  await recordAudit({ ...event, actor, stage: 'outcome', outcome: joined ? 'done' : 'failed' })
  if (joined) await announce(invitation, { userId, name })
  return joined
}

/** Tells the inviter, and every owner if there is a new one. */
async function announce({ id, teamId, role, invitedById }: Invitation, { userId, name }: Joined): Promise<void> {
  const event = { teamId, subject: { kind: 'user', id: userId } } as const
  const accepted = { kind: 'invitation_accepted', onceKey: `invitation:${id}`, detail: { name, role } } as const
  if (invitedById !== null) await notify({ ...event, ...accepted, userIds: [invitedById] })
  if (role !== 'owner') return
  const owners = (await findMembers(teamId, ['owner'])).filter((each) => each !== userId)
  const inviter = invitedById === null ? null : await db().user.findUnique({ where: { id: invitedById }, select: { name: true } })
  const detail = { name, change: 'added', by: inviter?.name ?? '' }
  await notify({ ...event, userIds: owners, kind: 'owners_changed', onceKey: `owner:${id}`, detail })
}
