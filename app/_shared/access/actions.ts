'use server'

import { ownAction } from '@/lib/portal/spine/guarded-action'
import { changeAccess as change, endAccess as end, giveAccess as give } from '@/lib/portal/subjects/team/access/change'

export const giveAccess = ownAction('access.give', give)

export const changeAccess = ownAction('access.change', change)

export const endAccess = ownAction('access.end', end)
