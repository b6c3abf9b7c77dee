'use server'

import { backups } from '@/lib/contract/operations/backups'
import { copies } from '@/lib/contract/operations/copies'
import { sites } from '@/lib/contract/operations/sites'
import { portalAction } from '@/lib/portal/entry/action'
import { copyBackup } from '@/lib/portal/entry/copy-backup'
import { proveCopy } from '@/lib/portal/entry/prove-copy'
import { restoreCopy } from '@/lib/portal/entry/restore-copy'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { deleteSiteBackups as deleteNamed } from '@/lib/portal/subjects/counted/delete-site-backups'

/** Takes `siteId`, `restore` (the name of the backup), the typed domain and, for a service with extensions, `backup_first`. */
export const restoreBackup = portalAction(backups.restore)

/** Takes `siteId`, `ids` (a JSON array of names) and their number as `confirmName`. */
export const deleteSiteBackups = ownAction(backups.delete.id, deleteNamed)

/** Takes `siteId` and `targetId`. */
export const copyNewestBackup = ownAction(copies.make.id, copyBackup)

/** Takes `siteId` and `copyId`. */
export const proveStoredCopy = ownAction(copies.prove.id, proveCopy)

/** Takes `siteId`, `copyId`, the typed domain and `backup_first`. */
export const restoreFromCopy = ownAction(copies.restore.id, restoreCopy)

/** Takes `siteId`, and who the user is if the sign-in is not recent. */
export const prepareArchive = portalAction(sites.download)
