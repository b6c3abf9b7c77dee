'use server'

import { lastBackups } from '@/lib/contract/operations/last-backups'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { deleteCountedAction } from '@/lib/portal/subjects/counted/delete-counted'

export const deleteBackups = deleteCountedAction(serverBackups.delete)

export const deleteLastBackups = deleteCountedAction(lastBackups.delete)
