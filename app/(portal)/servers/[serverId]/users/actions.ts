'use server'

import { users } from '@/lib/contract/operations/users'
import { portalAction } from '@/lib/portal/entry/action'
import { removeUserAction } from '@/lib/portal/subjects/users/remove'

export const saveSystemUser = portalAction(users.save)

export const deleteSystemUser = removeUserAction()
