'use server'

import { backups } from '@/lib/contract/operations/backups'
import { database } from '@/lib/contract/operations/database'
import { sftp } from '@/lib/contract/operations/sftp'
import { sites } from '@/lib/contract/operations/sites'
import { users } from '@/lib/contract/operations/users'
import { portalAction } from '@/lib/portal/entry/action'
import { backUpSite } from '@/lib/portal/entry/back-up-site'
import { ownAction } from '@/lib/portal/spine/guarded-action'
import { addKey, removeKey } from '@/lib/portal/subjects/sftp/change-keys'
import { setSftpPassword as setPassword } from '@/lib/portal/subjects/sftp/set-password'

/** Takes `serverId` and the site's fields. */
export const createSite = portalAction(sites.create)

/** Takes `siteId`, the typed domain and, for a service with extensions, `without_backup`. */
export const deleteSite = portalAction(sites.delete)

/** Takes `siteId`. */
export const createBackup = ownAction(backups.create.id, backUpSite)

/** Takes `siteId`, the new password of its database and, for that of its staging copy, `staging`. */
export const setDatabasePassword = portalAction(database.save)

/** Takes `siteId`, `pass`, the new password of the site's user, and, for that of its staging copy, `staging`. */
export const setSftpPassword = ownAction(users.save.id, setPassword)

/** Takes `siteId` and `key`, a public key in one line. */
export const saveSftpKey = ownAction(sftp.save.id, addKey)

/** Takes `siteId` and `fingerprint`. */
export const deleteSftpKey = ownAction(sftp.delete.id, removeKey)
