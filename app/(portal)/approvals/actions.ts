'use server'

import { approveHeld, passHeld } from '@/lib/portal/approvals/approve'
import { refuseHeld, withdrawHeld } from '@/lib/portal/approvals/refuse'
import { takeHeldLink as takeLink } from '@/lib/portal/approvals/take'
import { ownAction } from '@/lib/portal/spine/guarded-action'

export const approveHeldRequest = ownAction('approval.approve', approveHeld)

export const passHeldRequest = ownAction('approval.pass', passHeld)

export const refuseHeldRequest = ownAction('approval.refuse', refuseHeld)

export const takeHeldLink = ownAction('approval.take', takeLink)

export const withdrawHeldRequest = ownAction('approval.withdraw', withdrawHeld)
