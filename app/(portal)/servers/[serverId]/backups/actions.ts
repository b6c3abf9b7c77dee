'use server'

import { serverBackups } from '@/lib/contract/operations/server-backups'
import { deleteCountedAction } from '@/lib/portal/subjects/counted/delete-counted'

export const deleteBackups = deleteCountedAction(serverBackups.delete)
