/** The changes of Gatehouse itself that can wait for a second person, and how each is made afterwards. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import type { HeldOwnAction } from '@/lib/portal/spine/held/rule'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { changeAccess, endAccess, giveAccess } from '@/lib/portal/subjects/team/access/change'
import { changeRole, disableMember, enableMember, removeMember, setMembershipEnd } from '@/lib/portal/subjects/team/change-member'
import { inviteMember } from '@/lib/portal/subjects/team/invite'
import { approveRequest } from '@/lib/portal/subjects/team/requests/answer'
import { setSecondPersonRule } from './change-rule'

type Handler = (input: OwnInput) => Promise<Outcome<unknown>>

const handlers: Readonly<Record<HeldOwnAction | 'team.setSecondPerson', Handler>> = {
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
  'connection.freeze': freezeConnection,
  'team.setSecondPerson': setSecondPersonRule,
}

/** Null for an action of another version. */
export const findOwnHandler = (action: string): Handler | null =>
  Object.hasOwn(handlers, action) ? handlers[action as keyof typeof handlers] : null
