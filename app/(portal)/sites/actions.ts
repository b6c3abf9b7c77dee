'use server'

import { database } from '@/lib/contract/operations/database'
import { sites } from '@/lib/contract/operations/sites'
import { portalAction } from '@/lib/portal/entry/action'

/** Takes `serverId` and the site's fields. */
export const createSite = portalAction(sites.create)

/** Takes `siteId`, the typed domain and, for a service with extensions, `without_backup`. */
export const deleteSite = portalAction(sites.delete)

/** Takes `siteId` and the new password of its database. */
export const setDatabasePassword = portalAction(database.save)
