'use server'

import { users } from '@/lib/contract/operations/users'
import { portalAction } from '@/lib/portal/entry/action'

export const saveSystemUser = portalAction(users.save)

export const deleteSystemUser = portalAction(users.delete)
