'use server'

import { users } from '@/lib/contract/operations/users'
import { portalAction } from '@/lib/portal/action'
import { removeUserAction } from '@/lib/portal/users/remove'

export const saveSystemUser = portalAction(users.save)

export const deleteSystemUser = removeUserAction()
