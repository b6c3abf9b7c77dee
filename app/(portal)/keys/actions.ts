'use server'

import { ownAction } from '@/lib/portal/spine/guarded-action'
import { addConnection as add } from '@/lib/portal/subjects/connections/add'
import { checkConnection as check } from '@/lib/portal/subjects/connections/check'
import { freezeConnection as freeze, thawConnection as thaw } from '@/lib/portal/subjects/connections/freeze'
import { removeConnection as remove } from '@/lib/portal/subjects/connections/remove'
import { renameConnection as rename } from '@/lib/portal/subjects/connections/rename'
import { replaceKey as replace } from '@/lib/portal/subjects/connections/replace-key'
import { changeLoan as changeLent, endLoan as endLent, lendConnection as lend } from '@/lib/portal/subjects/lending/change'

export const addConnection = ownAction('connection.create', add)

export const checkConnection = ownAction('connection.check', check)

export const renameConnection = ownAction('connection.rename', rename)

export const replaceKey = ownAction('connection.replaceKey', replace)

export const removeConnection = ownAction('connection.remove', remove)

export const freezeConnection = ownAction('connection.freeze', freeze)

export const thawConnection = ownAction('connection.thaw', thaw)

export const lendConnection = ownAction('connection.lend', lend)

export const changeLoan = ownAction('connection.changeLoan', changeLent)

export const endLoan = ownAction('connection.endLoan', endLent)
