'use server'

import { ownAction } from '@/lib/portal/action'
import { addConnection as add } from '@/lib/portal/connections/add'
import { checkConnection as check } from '@/lib/portal/connections/check'
import { removeConnection as remove } from '@/lib/portal/connections/remove'
import { renameConnection as rename } from '@/lib/portal/connections/rename'
import { replaceKey as replace } from '@/lib/portal/connections/replace-key'

export const addConnection = ownAction('connection.create', add)

export const checkConnection = ownAction('connection.check', check)

export const renameConnection = ownAction('connection.rename', rename)

export const replaceKey = ownAction('connection.replaceKey', replace)

export const removeConnection = ownAction('connection.remove', remove)
