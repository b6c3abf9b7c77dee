'use server'

import { ownAction } from '@/lib/portal/spine/guarded-action'
import {
  addBackupTarget as add,
  removeBackupTarget as remove,
  renameBackupTarget as rename,
  replaceBackupTargetKeys as replaceKeys,
  testBackupTarget as test,
} from '@/lib/portal/subjects/backup-targets/change'
import { confirmKit as confirm, downloadKit as download } from '@/lib/portal/subjects/backup-targets/change-kit'

export const downloadKit = ownAction('backupTarget.kit', download)

export const confirmKit = ownAction('backupTarget.confirmKit', confirm)

export const addBackupTarget = ownAction('backupTarget.add', add)

export const testBackupTarget = ownAction('backupTarget.test', test)

export const renameBackupTarget = ownAction('backupTarget.rename', rename)

export const replaceBackupTargetKeys = ownAction('backupTarget.replaceKeys', replaceKeys)

export const removeBackupTarget = ownAction('backupTarget.remove', remove)
