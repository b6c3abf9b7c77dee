/** The changes of Gatehouse itself that can wait for a second person, and how each is made afterwards. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import type { HeldOwnAction } from '@/lib/portal/spine/held/rule'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { removeConnection } from '@/lib/portal/subjects/connections/remove'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { resendInvitation } from '@/lib/portal/subjects/team/change-invitation'
import { changeRole, disableMember, enableMember, removeMember, setMembershipEnd } from '@/lib/portal/subjects/team/change-member'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { approveRequest } from '@/lib/portal/subjects/team/requests/answer'
import { createResetLink } from '@/lib/portal/subjects/team/reset-link'
import { setSecondPersonRule } from './change-rule'

type Handler = (input: OwnInput) => Promise<Outcome<unknown>>

// The audit log as a file is taken, never sent.
const handlers: Readonly<Record<Exclude<HeldOwnAction, 'activity.export'> | 'team.setSecondPerson', Handler>> = {
  'access.give': giveAccess,
  'access.approve': approveRequest,
  'access.change': changeAccess,
  'access.end': endAccess,
  'member.changeRole': changeRole,
  'member.setEnd': setMembershipEnd,
  'member.enable': enableMember,
  'member.disable': disableMember,
  'member.remove': removeMember,
  'invitation.create': inviteMember,
  'invitation.resend': resendInvitation,
  'member.resetLink': createResetLink,
  'connection.freeze': freezeConnection,
  'connection.remove': removeConnection,
  'team.setSecondPerson': setSecondPersonRule,
}

/** Null for an action of another version. */
export const findOwnHandler = (action: string): Handler | null =>
  Object.hasOwn(handlers, action) ? handlers[action as keyof typeof handlers] : null
