'use server'

import { ownAction } from '@/lib/portal/spine/guarded-action'
import { approveAndLend } from '@/lib/portal/subjects/lending/approve-request'
import { refuseRequest as refuse } from '@/lib/portal/subjects/team/requests/answer'
import { askForAccess as ask, withdrawRequest as withdraw } from '@/lib/portal/subjects/team/requests/ask'

export const askForAccess = ownAction('access.ask', ask)

export const withdrawRequest = ownAction('access.withdraw', withdraw)

export const approveRequest = ownAction('access.approve', approveAndLend)

export const refuseRequest = ownAction('access.refuse', refuse)
