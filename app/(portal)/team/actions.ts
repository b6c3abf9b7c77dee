'use server'

import { setSecondPersonRule } from '@/lib/portal/approvals/change-rule'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { changeMemberEmail as changeEmail } from '@/lib/portal/subjects/team/change-email'
import { resendInvitation as resend, revokeInvitation as revoke } from '@/lib/portal/subjects/team/change-invitation'
import {
  changeRole as change,
  disableMember as disable,
  enableMember as enable,
  removeMember as remove,
  setMembershipEnd as setEnd,
} from '@/lib/portal/subjects/team/change-member'
import { setIdleSignOut as setIdle } from '@/lib/portal/subjects/team/idle-sign-out'
import { inviteMember as invite } from '@/lib/portal/subjects/team/invite'
import { requireSingleSignOn as requireSso } from '@/lib/portal/subjects/team/require-single-sign-on'
import { createResetLink as reset } from '@/lib/portal/subjects/team/reset-link'
import { setSecondFactorRule } from '@/lib/portal/subjects/team/sign-in-rules'

export const inviteMember = ownAction('invitation.create', invite)

export const resendInvitation = ownAction('invitation.resend', resend)

export const revokeInvitation = ownAction('invitation.revoke', revoke)

export const changeRole = ownAction('member.changeRole', change)

export const setMembershipEnd = ownAction('member.setEnd', setEnd)

export const disableMember = ownAction('member.disable', disable)

export const enableMember = ownAction('member.enable', enable)

export const removeMember = ownAction('member.remove', remove)

export const requireSecondFactor = ownAction('team.requireSecondFactor', setSecondFactorRule)

export const changeMemberEmail = ownAction('member.changeEmail', changeEmail)

export const createResetLink = ownAction('member.resetLink', reset)

export const requireSingleSignOn = ownAction('team.requireSingleSignOn', requireSso)

export const setIdleSignOut = ownAction('team.setIdleSignOut', setIdle)

export const setSecondPerson = ownAction('team.setSecondPerson', setSecondPersonRule)
