'use server'

import { aliases } from '@/lib/contract/operations/aliases'
import { slowSiteAction } from '@/lib/portal/entry/undoable'
import { keptAlias } from '@/lib/portal/subjects/aliases/undo-delete'

/** Takes `siteId` and `alias`. */
export const deleteAlias = slowSiteAction({ operation: aliases.delete, field: 'alias', inverseOf: keptAlias })
