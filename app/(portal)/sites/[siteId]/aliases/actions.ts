'use server'

import { aliases } from '@/lib/contract/operations/aliases'
import { portalAction } from '@/lib/portal/entry/action'
import { slowSiteAction } from '@/lib/portal/entry/undoable'
import { keptAlias } from '@/lib/portal/subjects/aliases/undo-delete'

/** Takes `siteId`, `alias` and, for a service with extensions, `more`. */
export const saveAlias = portalAction(aliases.save)

/** Takes `siteId` and `alias`. */
export const deleteAlias = slowSiteAction({ operation: aliases.delete, field: 'alias', inverseOf: keptAlias })
