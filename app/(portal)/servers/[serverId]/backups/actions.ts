'use server'

import { lastBackups } from '@/lib/contract/operations/last-backups'
import { serverBackups } from '@/lib/contract/operations/server-backups'
import { copyBackupOfServer } from '@/lib/portal/entry/copy-backup'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { deleteCountedAction } from '@/lib/portal/subjects/counted/delete-counted'

export const deleteBackups = deleteCountedAction(serverBackups.delete)

/** Takes `serverId` and `targetId`. */
export const copyServerBackup = ownAction(serverBackups.copy.id, copyBackupOfServer)

export const deleteLastBackups = deleteCountedAction(lastBackups.delete)
